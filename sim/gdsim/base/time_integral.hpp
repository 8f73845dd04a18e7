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
  /// Advances by `time`, in which the integral grows by `growth`. Does not change the level.
  void fast_forward(Duration time, Int128 growth) {
    since_ = since_ + time;
    sum_ += growth;
  }

 private:
  Int128 sum_ = 0;  ///< up to since_
  SimTime since_;
  std::uint64_t level_ = 0;
};

}  // namespace gdsim
