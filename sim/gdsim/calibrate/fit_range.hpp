#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gdsim {

/// A value to be fitted, and its range. It is a whole number of steps. A step is one unit of the last decimal of the
/// range as written: `0.50 us..2.00 us` has steps of 0.01 us, `64 B..512 B` of 1 B.
struct FitRange {
  std::string path;  ///< of the value, as typed
  std::int64_t low = 0;
  std::int64_t high = 0;  ///< above `low`
  int decimals = 0;       ///< 0 to 9
  std::string unit;       ///< with the blank before it; empty: a plain number

  /// Returns the value as written in the scenario.
  std::string text(std::int64_t steps) const;
  /// Returns the steps of a value as written, rounded to the nearest; `low` - 1 if it is not in the range.
  std::int64_t steps_of(std::string_view text) const;
  /// Converts a place between 0 (`low`) and 1 (`high`) to a value and back: linearly, or geometrically if `high` is at
  /// least ten times `low`.
  std::int64_t at(double place) const;
  double place_of(std::int64_t steps) const;
};

/// Reads `PATH=LOW..HIGH`. Throws InputError, which begins with `--fit`.
FitRange parse_fit_range(std::string_view text);

}  // namespace gdsim
