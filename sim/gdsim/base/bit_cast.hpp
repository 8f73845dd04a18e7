#pragma once

#include <type_traits>

namespace gdsim {

/// Replaces std::bit_cast(), which libc++ 13 (used by the playground) lacks.
template <class To, class From>
constexpr To bit_cast(const From& from) {
  static_assert(sizeof(To) == sizeof(From) && std::is_trivially_copyable_v<To> && std::is_trivially_copyable_v<From>);
  return __builtin_bit_cast(To, from);
}

}  // namespace gdsim
