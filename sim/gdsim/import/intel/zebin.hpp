#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/compiled_kernel.hpp>
#include <gdsim/import/object_files.hpp>

#include <vector>

namespace gdsim {

/// Returns true if the file is Intel's machine code in the format zebin.
bool is_zebin(const ElfFile& elf);

/// The kernels of a zebin, from its `.ze_info`, with the product if a note names one. Throws InputError.
std::vector<CompiledKernel> read_zebin(const ElfFile& elf);

/// The kernels of `.ze_info`, Intel's metadata in YAML: general registers, SIMD size, shared local memory, barriers,
/// spills. `text` is the whole of it. Throws InputError with the line at fault.
std::vector<CompiledKernel> read_ze_info(const SourceText& text);

}  // namespace gdsim
