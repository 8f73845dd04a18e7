#pragma once

#include <gdsim/dispatch/choice/turn_position.hpp>

#include <compare>
#include <cstdint>

namespace gdsim {

/// The position of a turn: the number of passes through all launches, and the current launch.
struct ScanCursor {
  std::uint64_t lap = 0;
  TurnPosition position{};

  friend bool operator==(const ScanCursor&, const ScanCursor&) = default;
  /// Not defaulted, because libc++ 13 (used by the playground) has no <=> for pairs.
  friend std::strong_ordering operator<=>(const ScanCursor& a, const ScanCursor& b) {
    if (a.lap != b.lap) return a.lap <=> b.lap;
    if (a.position.first != b.position.first) return a.position.first <=> b.position.first;
    return a.position.second <=> b.position.second;
  }
};

}  // namespace gdsim
