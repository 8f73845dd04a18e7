#pragma once

#include <gdsim/import/compiled_kernel.hpp>
#include <gdsim/import/elf_file.hpp>

#include <vector>

namespace gdsim {

/// Reads the mode of work-groups from the kernel descriptors of a code object, for kernels for gfx10 and later whose
/// metadata does not give it. Throws InputError if a descriptor lies beyond the end.
///
/// LLVM, AMDGPUUsage, kernel descriptor: WGP_MODE is bit 29 of compute_pgm_rsrc1, which is at byte 48 of 64; the
/// descriptor of the kernel `k` is the symbol `k.kd`.
void read_kernel_descriptors(const ElfFile& elf, std::vector<CompiledKernel>& kernels);

}  // namespace gdsim
