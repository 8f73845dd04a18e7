#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/compiled_kernel.hpp>

#include <vector>

namespace gdsim {

/// The kernels of `.ze_info`, Intel's metadata in YAML: general registers, SIMD size, shared local memory, barriers,
/// spills. `text` is the whole of it. Throws InputError with the line at fault.
std::vector<CompiledKernel> read_ze_info(const SourceText& text);

}  // namespace gdsim
