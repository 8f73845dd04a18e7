#pragma once

#include <gdsim/base/quantity.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

namespace gdsim {

/// The earliest of several times, which must not be negative. The comparison has no branch, because a branch predictor
/// could not predict which time is the earliest.
class EarliestTime {
 public:
  void add(SimTime time) { earliest_ = std::min(earliest_, static_cast<std::uint64_t>(time.count)); }
  std::optional<SimTime> get() const {
    return earliest_ == kNone ? std::nullopt : std::optional(SimTime{static_cast<std::int64_t>(earliest_)});
  }

 private:
  static constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();

  std::uint64_t earliest_ = kNone;
};

}  // namespace gdsim
