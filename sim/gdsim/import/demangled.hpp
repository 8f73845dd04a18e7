#pragma once

#include <string>
#include <string_view>

namespace gdsim {

/// Returns a C++ name as in its source: `void scale<4>(float*, float const*)`. A name that is not mangled is returned
/// unchanged. A name that would be too long keeps only its first part: `cutlass::device_kernel<...>`.
std::string demangled(const std::string& symbol);

/// The name of a function without its type: `scale<4>` for the example above.
std::string without_signature(std::string_view name);

}  // namespace gdsim
