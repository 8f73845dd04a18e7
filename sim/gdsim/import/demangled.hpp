#pragma once

#include <string>
#include <string_view>

namespace gdsim {

/// A C++ name as its source has it: `void scale<4>(float*, float const*)`. What is no mangled name is returned as it
/// is; one that would become unreasonably long keeps only its first part: `cutlass::device_kernel<...>`.
std::string demangled(const std::string& symbol);

/// The name of a function without its type: `scale<4>`, of the above.
std::string without_signature(std::string_view name);

}  // namespace gdsim
