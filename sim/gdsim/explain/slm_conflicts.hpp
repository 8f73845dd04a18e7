#pragma once

#include <gdsim/explain/program_change.hpp>

#include <cstdint>
#include <string>

namespace gdsim {

/// Returns true if the step reads, writes or atomically accesses shared local memory.
bool is_slm_access(const Step& step);

/// Removes conflicts between accesses of the same thread: neighbouring lanes access neighbouring elements, and atomic
/// accesses go to as many addresses as a thread has work-items. The device must have `slm_access`.
StepChange without_slm_conflicts(Step& step, const DeviceSpec& device, std::uint32_t sub_group);

/// Describes the access that takes the most cycles: `with a stride of 16, an access takes 16 cycles`, or `with 1
/// address, an atomic access takes 32 cycles`. Some step must access SLM.
std::string worst_slm_conflict(const Scenario& scenario);

}  // namespace gdsim
