#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/quantity.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gdsim {

/// From `time` on, a quantity has this value.
struct Level {
  SimTime time;
  std::uint64_t value = 0;
};

/// The integral and the extremes of a quantity in one interval of time.
struct Bin {
  SimTime begin;
  SimTime end;
  UInt128 integral = 0;  ///< value x picoseconds
  std::uint64_t min = 0;
  std::uint64_t max = 0;

  /// Returns the time-weighted mean, exactly.
  Ratio mean() const { return {integral, static_cast<std::uint64_t>((end - begin).count)}; }
};

/// Divides `start` to `end` into `count` intervals of equal length, up to a picosecond; if there are fewer than `count`
/// picoseconds, into intervals of one picosecond. Levels must be ordered by time. The value is 0 before the first level
/// and stays at the last one.
std::vector<Bin> bins_of(std::span<const Level> levels, SimTime start, SimTime end, std::size_t count);

/// As above, with intervals of length `width`; the last may be shorter.
std::vector<Bin> bins_of_width(std::span<const Level> levels, SimTime start, SimTime end, Duration width);

}  // namespace gdsim
