#pragma once

#include <gdsim/import/compiled_kernel.hpp>
#include <gdsim/import/elf_file.hpp>

#include <vector>

namespace gdsim {

/// Returns true if the file is Intel's machine code in the format zebin.
bool is_zebin(const ElfFile& elf);

/// The kernels of a zebin, from its `.ze_info`, with the product if a note names one. Throws InputError.
std::vector<CompiledKernel> read_zebin(const ElfFile& elf);

}  // namespace gdsim
