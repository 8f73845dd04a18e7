#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/amd/gcn/gcn_kernel.hpp>

namespace gdsim {

/// Reads the code and the metadata of the kernels of AMDGPU assembly, as `clang -S` and `hipcc --save-temps` write it.
/// Throws InputError with the line at fault, or if a kernel's code or metadata is missing.
GcnModule read_gcn(const SourceText& source);

}  // namespace gdsim
