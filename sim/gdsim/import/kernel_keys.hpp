#pragma once

#include <gdsim/import/compiled_kernel.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// A name for each kernel by which a scenario can call it, no two alike: without its type where that is enough, with it
/// where it is not, and with a number where even that is not. Printable, at most 160 characters.
std::vector<std::string> keys_of(const std::vector<CompiledKernel>& kernels);

}  // namespace gdsim
