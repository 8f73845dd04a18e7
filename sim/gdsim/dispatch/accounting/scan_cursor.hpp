#pragma once

#include <gdsim/dispatch/choice/turn_position.hpp>

#include <compare>
#include <cstdint>

namespace gdsim {

/// How far a turn is: how often it has gone round all launches, and at which it is.
struct ScanCursor {
  std::uint64_t lap = 0;
  TurnPosition position{};

  friend bool operator==(const ScanCursor&, const ScanCursor&) = default;
  /// Written out: libc++ 13, of the playground, has no <=> for pairs.
  friend std::strong_ordering operator<=>(const ScanCursor& a, const ScanCursor& b) {
    if (a.lap != b.lap) return a.lap <=> b.lap;
    if (a.position.first != b.position.first) return a.position.first <=> b.position.first;
    return a.position.second <=> b.position.second;
  }
};

}  // namespace gdsim
