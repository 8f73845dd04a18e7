#pragma once

#include <gdsim/base/quantity.hpp>

#include <cstdint>
#include <optional>

namespace gdsim {

/// How far a run may go. Whoever reaches a bound ends with that instant, interrupted.
struct RunBounds {
  std::optional<std::uint64_t> events;
  std::optional<Picoseconds> time;
};

}  // namespace gdsim
