#pragma once

#include <gdsim/import/compiled_kernel.hpp>
#include <gdsim/import/device_target.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// A file's kernels, and the name by which the file was given.
struct NamedKernels {
  std::string file;
  std::vector<CompiledKernel> kernels;
};

/// Those whose demangled or mangled name contains a match of the regular expression (NamePattern). Throws InputError
/// if it is none, or if there is no such kernel: then with the names that there are.
NamedKernels with_name(NamedKernels from, const std::string& expression);

/// Of each kernel, the code that runs best on the device; what stands there several times, only once. Throws
/// InputError, listing every architecture, if nothing in the file runs on it.
NamedKernels for_device(NamedKernels from, const WantedDevice& device);

/// The one target for which all kernels are compiled, as the name of a family's model. Throws InputError, listing every
/// target, if there are several, or if the file names none.
std::string only_family(const NamedKernels& from);

}  // namespace gdsim
