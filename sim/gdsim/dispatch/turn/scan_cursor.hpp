#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>

#include <compare>
#include <cstdint>
#include <utility>

namespace gdsim {

/// A launch with its ready time: the order in which a turn names launches.
using TurnPosition = std::pair<SimTime, LaunchId>;

/// How far a turn is: how often it has gone round all launches, and at which it is.
struct ScanCursor {
  std::uint64_t lap = 0;
  TurnPosition position{};
  friend auto operator<=>(const ScanCursor&, const ScanCursor&) = default;
};

}  // namespace gdsim
