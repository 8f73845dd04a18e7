#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/compiled_kernel.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// Reads a file from a compiler of GPU kernels, or the output of such a tool, and detects its format by its content:
/// machine code of NVIDIA, AMD and Intel, alone, in their containers, or in executables, objects and libraries; `ptxas
/// -v`, `cuobjdump --dump-resource-usage`, AMD's assembly, hipcc's remarks on resources, `.ze_info`. Throws InputError
/// with the offset or line at fault, or if the format is unknown, or if the file has no kernel.
CompiledFile read_compiled(const SourceText& source);

/// A file's kernels, and the name under which the file was given.
struct NamedKernels {
  std::string file;
  std::vector<CompiledKernel> kernels;
};

/// Selects the kernels whose demangled or mangled name is this text; if there are none, those whose name contains a
/// match of it as a regular expression (NamePattern). Throws InputError if it is invalid, or if no kernel matches; the
/// message then lists the names.
NamedKernels with_name(NamedKernels from, const std::string& expression);

/// Selects for each kernel the code that runs best on the device, without duplicates. Throws InputError, which lists
/// every architecture, if nothing in the file runs on the device.
NamedKernels for_device(NamedKernels from, const WantedDevice& device);

/// Returns the family's model for which all kernels are compiled. Throws InputError, which lists every target, if there
/// are several, or if the file names none.
std::string only_family(const NamedKernels& from);

}  // namespace gdsim
