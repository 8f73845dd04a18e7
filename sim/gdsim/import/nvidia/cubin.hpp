#pragma once

#include <gdsim/import/compiled_kernel.hpp>
#include <gdsim/import/elf_file.hpp>

namespace gdsim {

/// The kernels of NVIDIA's machine code for one architecture: registers, stack and barriers of `.nv.info`, static
/// shared memory of `.nv.shared`. Code that is still to be linked (-rdc=true) is noted and left out: its resources are
/// known only with those of its callees. Throws InputError.
///
/// Attributes as written by `ptxas` of CUDA 11 to 13, found by comparing its files with its printed output.
CompiledFile read_cubin(const ElfFile& elf, ReadBudget& budget);

}  // namespace gdsim
