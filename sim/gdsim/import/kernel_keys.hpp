#pragma once

#include <gdsim/import/compiled_kernel.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// Returns a unique name for each kernel in a scenario: without its type if that is unique, else with its type, else
/// with a number. Names are printable and have at most 160 characters.
std::vector<std::string> keys_of(const std::vector<CompiledKernel>& kernels);

}  // namespace gdsim
