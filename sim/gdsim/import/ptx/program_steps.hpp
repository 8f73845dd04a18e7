#pragma once

#include <gdsim/import/imported_program.hpp>
#include <gdsim/import/ptx/kernel_profile.hpp>

namespace gdsim {

/// The steps of a warp, each with the lines of PTX that it stands for: adds steps, parameters and `in_flight` to the
/// program, or the reasons for which there are none. Amounts are the mean of the work-group's warps. Within a stretch
/// between barriers, loads come first, then the cycles of L1 and shared memory, instructions, atomic accesses, stores.
void add_steps(const KernelProfile& profile, ImportedProgram& program);

}  // namespace gdsim
