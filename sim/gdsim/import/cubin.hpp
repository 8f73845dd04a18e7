#pragma once

#include <gdsim/import/compiled_kernel.hpp>
#include <gdsim/import/elf_file.hpp>

#include <vector>

namespace gdsim {

/// The kernels of NVIDIA's machine code for one architecture: registers, stack and barriers of `.nv.info`, static
/// shared memory of `.nv.shared`. Throws InputError.
///
/// Attributes as `ptxas` of CUDA 11 to 13 writes them, found by comparing its files with what it prints.
std::vector<CompiledKernel> read_cubin(const ElfFile& elf);

}  // namespace gdsim
