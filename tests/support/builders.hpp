#pragma once

#include <gdsim/compile/compile.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/dispatch/placement/placements.hpp>
#include <gdsim/record/part_timelines.hpp>
#include <gdsim/record/wait_log.hpp>
#include <gdsim/run/internal_run_options.hpp>
#include <gdsim/workload/workload.hpp>

#include <initializer_list>
#include <string>

/// Small values for tests, with changes as needed: `with(small_device(), [](DeviceSpec& d) { d.cores = 1; })`.
namespace gdsim::testing {

constexpr Duration ps(std::int64_t count) { return {count}; }
constexpr Duration ns(std::int64_t count) { return {count * 1'000}; }
constexpr Duration us(std::int64_t count) { return {count * 1'000'000}; }
constexpr Duration ms(std::int64_t count) { return {count * 1'000'000'000}; }
/// The instant at this time after the start: `launch.ended == at(us(5))`.
constexpr SimTime at(Duration since_start) { return SimTime{} + since_start; }

constexpr CoreId core(std::uint32_t index) { return CoreId{index}; }
constexpr LaunchId launch(std::uint32_t index) { return LaunchId{index}; }
constexpr WorkGroupId group(std::uint64_t number) { return WorkGroupId{number}; }

/// 2 cores x 2 engines x 4 contexts, sub-groups of 1 or 8, fill_first, whole.
DeviceSpec small_device();
/// small_device() with one core.
DeviceSpec one_core();
/// The Tiger Lake model, read from models/.
DeviceSpec tiger_lake();

/// A time in a program or in the rules of a device.
StepTime picoseconds(std::uint64_t count);
Step compute(Duration time);
Step barrier();

/// A variation without draws and declared factors.
Variation lock_step();
/// A kernel of `groups` work-groups of `threads` threads with sub-group 8, in lock step.
Kernel kernel_of(std::uint64_t groups, std::uint64_t threads, Program program);

/// One launch of each kernel, all ready at 0, named k0, k1, ...
Workload workload_of(std::initializer_list<Kernel> kernels);

/// Returns `value` with changes.
template <class T, class Change>
T with(T value, Change change) {
  change(value);
  return value;
}

/// Compiles the workload for the device under its own rules. Throws InputError with all issues.
Compiled compiled(const DeviceSpec& device, const Workload& workload);
/// Compiles and simulates the workload. Throws InputError with all issues.
RunResult simulate(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload,
                   const InternalRunOptions& options = {}, const PlacementCatalog& policies = built_in_placements());
/// Returns true if the workload can be compiled.
bool can_run(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload);

/// Everything that a run can report.
struct FullRun {
  RunRecord record;
  Timeline timeline;
  CoreTimeline cores;
  WorkGroupLog work_groups;
};
FullRun run_fully(const DeviceSpec& device, const Workload& workload);
FullRun run_fully(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload);

/// Resident threads by phase.
std::vector<std::uint64_t> phase_threads(const RunRecord& record);
/// The core of each work-group of a launch.
std::vector<std::uint32_t> cores_of(const FullRun& run, LaunchId launch = LaunchId{0});

/// A file of this source tree.
std::string source_path(const std::string& relative);
/// The scenario for tests that need an arbitrary one.
inline const std::string kVectorAdd4 = source_path("scenarios/vector_add4.yaml");

}  // namespace gdsim::testing
