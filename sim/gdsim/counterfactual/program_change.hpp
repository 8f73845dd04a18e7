#pragma once

#include <gdsim/scenario/scenario.hpp>

#include <cstdint>
#include <functional>
#include <string>

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

/// Removes conflicts between accesses of the same thread: neighbouring lanes access neighbouring elements, and atomic
/// accesses go to as many addresses as a thread has work-items. The device must have `slm_access`.
StepChange without_slm_conflicts(Step& step, const DeviceSpec& device, std::uint32_t sub_group);

/// Describes the access that takes the most cycles: `with a stride of 16, an access takes 16 cycles`, or `with 1
/// address, an atomic access takes 32 cycles`. Some step must access SLM.
std::string worst_slm_conflict(const Scenario& scenario);

}  // namespace gdsim
