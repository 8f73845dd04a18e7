#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/import/imported_program.hpp>
#include <gdsim/import/ptx/kernel_profile.hpp>

namespace gdsim {

/// Adds steps, parameters and `in_flight` to the program, or the reasons why there are none. Each step of a warp has
/// the lines of its PTX. Amounts are the mean of the work-group's warps. Between barriers, loads come first, then
/// instructions, atomic accesses, stores. The pipe of L1 and shared memory counts as the number of `load_store`
/// instructions that an engine does in the time that the pipe needs: engines are assumed to use it evenly.
void add_steps(const KernelProfile& profile, const DeviceSpec& device, ImportedProgram& program);

}  // namespace gdsim
