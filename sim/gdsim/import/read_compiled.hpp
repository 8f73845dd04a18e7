#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/compiled_kernel.hpp>

namespace gdsim {

/// Reads a file that a compiler of GPU kernels has made, or what such a tool printed, by its content: machine code of
/// NVIDIA, AMD and Intel, alone, in their containers, or in executables, objects and libraries that hold some;
/// `ptxas -v`, `cuobjdump --dump-resource-usage`, AMD's assembly, `.ze_info`. Throws InputError: with the offset or the
/// line at fault; if the file is none of these; if no kernel is in it.
CompiledFile read_compiled(const SourceText& source);

}  // namespace gdsim
