#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/import/imported_program.hpp>
#include <gdsim/import/ptx/kernel_profile.hpp>

namespace gdsim {

/// The steps of a warp, each with the lines of PTX that it stands for: adds steps, parameters and `in_flight` to the
/// program, or the reasons for which there are none. Amounts are the mean of the work-group's warps. Within a stretch
/// between barriers, loads come first, then instructions, atomic accesses, stores. The pipe of L1 and shared memory
/// counts as `load_store` instructions, of which an engine does so many in the time that the pipe needs: engines are
/// assumed to use it evenly.
void add_steps(const KernelProfile& profile, const DeviceSpec& device, ImportedProgram& program);

}  // namespace gdsim
