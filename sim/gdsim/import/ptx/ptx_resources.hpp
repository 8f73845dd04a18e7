#pragma once

#include <gdsim/import/compiled_kernel.hpp>
#include <gdsim/import/ptx/reader/ptx_kernel.hpp>

#include <string_view>

namespace gdsim {

/// What PTX says of its kernels: shared memory and bounds, and no registers.
CompiledFile resources_of(const PtxModule& module);

/// PTX for this target can be compiled for the family: it is no newer, and for no single architecture alone.
bool can_become(std::string_view ptx_target, std::string_view family);

/// Adds to the kernel what machine code of the same function says: registers, shared memory, barriers, spills,
/// clusters. Throws InputError if both have clusters of other sizes.
void add_machine_code(CompiledKernel& kernel, const CompiledKernel& machine_code);

}  // namespace gdsim
