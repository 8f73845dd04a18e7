#pragma once

#include <gdsim/base/quantity.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/fit/limits.hpp>
#include <gdsim/scenario/scenario.hpp>
#include <gdsim/workload/kernel.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// The result of a change of a step.
enum class StepChange : std::uint8_t { none, changed, removed };

/// Visits every step, those inside loops, divergent parts and bodies of tiles included, and removes those for which
/// `change` returns `removed`, and loops and parts that become empty. A program that becomes empty gets a step of one
/// picosecond, because every program must take time. Returns true if anything changed.
bool change_program(Program& program, const std::function<StepChange(Step&)>& change);
/// Changes every program of a kernel. Returns true if anything changed.
bool change_programs(Kernel& kernel, const std::function<StepChange(Step&)>& change);
/// Changes every kernel of a scenario. Returns true if anything changed.
bool change_programs(Scenario& scenario, const std::function<StepChange(Step&)>& change);

/// Returns true if the step reads, writes or atomically accesses shared local memory.
bool is_slm_access(const Step& step);

/// Removes conflicts between accesses of the same thread: neighboring lanes access neighboring elements, and atomic
/// accesses go to as many addresses as a thread has work-items. The device must have `slm_access`.
StepChange without_slm_conflicts(Step& step, const DeviceSpec& device, std::uint32_t sub_group);

/// Describes the access that takes the most cycles: `with a stride of 16, an access takes 16 cycles`, or `with 1
/// address, an atomic access takes 32 cycles`. Some step must access SLM.
std::string worst_slm_conflict(const Scenario& scenario);

/// Returns the program of an average work-group, for a kernel whose work-groups have programs of their own
/// (differs_by_group()): the same steps, with the mean of their amounts. A loop has the mean of the counts, rounded up,
/// and the amounts in its body are reduced accordingly; an amount is rounded, and at least 1.
Program mean_program(const Kernel& kernel);

/// Estimates a thread's time for a program of the kernel, in picoseconds: the sum of its steps, with memory at the
/// thread's part of the slowest level's bandwidth while all contexts use it. The estimate serves to order work-groups
/// and is no prediction.
double estimated_length(const Program& program, const Kernel& kernel, const DeviceSpec& device);

/// Returns a lower bound of the duration of a run, whatever limits are lifted. The work of all launches on the busiest
/// pipe, or on the issue slots, is divided over all engines of the device, which are never idle, at its clocks from
/// time 0 on, or at its highest clock if the first launch comes later. The bound leaves out children, kernels with
/// smaller work-groups at their edges, and kernels with declared factors, which may be below 1. Returns nullopt if the
/// device has no clock, if no launch has such a step, or if the result leaves 64 bits.
std::optional<Duration> arithmetic_floor(const Scenario& scenario);

/// Returns the kernel without its tail: the work of the tail's work-groups is spread evenly over the others. All work
/// is kept, also that of work-groups with factors or durations of their own; it is rounded if it needs more than 63
/// bits. Returns nullopt if that is not possible: work-groups of different sizes, programs that launch children, or
/// factors beyond 63 bits. compile() refuses an amount that leaves its range.
///
/// Drawn work counts as its mean. The kernel must be able to run on `device`.
std::optional<Kernel> without_tail(const Kernel& kernel, const Tail& tail, const DeviceSpec& device);

/// Returns true if some `issue` step of the scenario accesses L1.
bool has_l1_accesses(const Scenario& scenario);

/// Returns the step for a thread that does not share issue slots: it has the same duration alone, and the same use of
/// the pipe. The device must have `l1` and a clock.
Step with_own_issue_slots(const IssueSlots& issue, const Kernel& kernel, const DeviceSpec& device);

/// Makes accesses to L1 last as long as they do alone, without sharing the pipe. Returns true if there are any.
bool give_own_pipes(Scenario& changed);

/// An instruction of a kernel's source text whose accesses would occupy fewer lines of L1 if neighboring work-items
/// accessed neighboring addresses.
struct ScatteredAccess {
  KernelId kernel{};
  std::uint32_t source_line = 0;
  std::string instruction;
  // Counts for one thread in the steps of a program, each step once.
  std::uint64_t requests = 0;
  std::uint64_t lines = 0;
  std::uint64_t coalesced = 0;       ///< lines, if neighboring work-items accessed neighboring addresses
  std::uint64_t excess_sectors = 0;  ///< sectors that leave L1 now and would not then
};

/// Returns the scattered accesses by kernel, then source line and instruction; at most `max` of each kernel, those
/// whose lines would fall most.
std::vector<ScatteredAccess> scattered_accesses(const Scenario& scenario, std::size_t max);

/// Gives the access its coalesced lines, and removes its excess sectors. The last level of the memory serves as much as
/// before, but no more than all that is moved. Returns true if the kernel has the access.
bool coalesce(Kernel& kernel, const ScatteredAccess& access, const DeviceSpec& device);

}  // namespace gdsim
