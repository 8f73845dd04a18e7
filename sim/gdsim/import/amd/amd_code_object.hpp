#pragma once

#include <gdsim/import/compiled_kernel.hpp>
#include <gdsim/import/elf_file.hpp>

#include <vector>

namespace gdsim {

/// The kernels of AMD's machine code, from the metadata in its notes, from code object version 3 on. Throws InputError.
std::vector<CompiledKernel> read_amd_code_object(const ElfFile& elf, ReadBudget& budget);

}  // namespace gdsim
