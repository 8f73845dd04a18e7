#pragma once

#include <gdsim/import/compiled_kernel.hpp>
#include <gdsim/import/ptx/reader/ptx_kernel.hpp>

#include <optional>
#include <string_view>

namespace gdsim {

/// The resources of kernels in PTX: shared memory and bounds, without registers.
CompiledFile resources_of(const PtxModule& module);

/// 86 for the family `cc-8.6`.
std::optional<unsigned> capability_of(std::string_view family);

/// Returns true if PTX for this target can be compiled for the family: the target is no newer, and not a single
/// architecture.
bool can_become(std::string_view ptx_target, std::string_view family);

/// Adds the data of the same function's machine code to the kernel: registers, shared memory, barriers, spills,
/// clusters. Throws InputError if both have clusters, of different sizes.
void add_machine_code(CompiledKernel& kernel, const CompiledKernel& machine_code);

}  // namespace gdsim
