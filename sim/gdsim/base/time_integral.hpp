#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/quantity.hpp>

#include <cstdint>

namespace gdsim {

/// The exact integral of a level over simulated time, in level x picoseconds.
class TimeIntegral {
 public:
  std::uint64_t level() const { return level_; }
  /// Sets the level from `now` on.
  void set_level(std::uint64_t level, SimTime now) {
    sum_ += static_cast<Int128>(level_) * (now - since_).count;
    since_ = now;
    level_ = level;
  }
  /// Returns the integral up to `now`, which must not be before the last change.
  Int128 at(SimTime now) const { return sum_ + static_cast<Int128>(level_) * (now - since_).count; }

 private:
  Int128 sum_ = 0;  ///< up to since_
  SimTime since_;
  std::uint64_t level_ = 0;
};

}  // namespace gdsim
