#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/compiled_kernel.hpp>

namespace gdsim {

/// Returns true if this is assembly for AMD's GPUs with metadata of its kernels, or that metadata alone.
bool is_amd_assembly(const SourceText& text);

/// The kernels of the metadata between `.amdgpu_metadata` and `.end_amdgpu_metadata`. Throws InputError with the line
/// at fault.
CompiledFile read_amd_assembly(const SourceText& text);

}  // namespace gdsim
