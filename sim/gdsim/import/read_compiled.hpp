#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/compiled_kernel.hpp>

namespace gdsim {

/// Reads a file from a compiler of GPU kernels, or the output of such a tool, and detects its format by its content:
/// machine code of NVIDIA, AMD and Intel, alone, in their containers, or in executables, objects and libraries; `ptxas
/// -v`, `cuobjdump --dump-resource-usage`, AMD's assembly, hipcc's remarks on resources, `.ze_info`. Throws InputError
/// with the offset or line at fault, or if the format is unknown, or if the file has no kernel.
CompiledFile read_compiled(const SourceText& source);

}  // namespace gdsim
