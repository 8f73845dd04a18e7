#pragma once

#include <gdsim/import/compiled_kernel.hpp>
#include <gdsim/import/elf_file.hpp>

namespace gdsim {

/// The kernels of NVIDIA's machine code for one architecture: registers, stack and barriers of `.nv.info`, static
/// shared memory of `.nv.shared`. Code that is to be linked yet (-rdc=true) is noted and left out: what it uses is
/// known when all that it calls is. Throws InputError.
///
/// Attributes as `ptxas` of CUDA 11 to 13 writes them, found by comparing its files with what it prints.
CompiledFile read_cubin(const ElfFile& elf);

}  // namespace gdsim
