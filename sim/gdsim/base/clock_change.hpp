#pragma once

#include <gdsim/base/quantity.hpp>

namespace gdsim {

/// A clock that is in force from a point in time on.
struct ClockChange {
  SimTime at;
  Hertz clock;
  friend bool operator==(const ClockChange&, const ClockChange&) = default;
};

}  // namespace gdsim
