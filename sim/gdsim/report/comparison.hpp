#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/report/bins.hpp>
#include <gdsim/report/run_view.hpp>

#include <vector>

namespace gdsim {

/// Measured occupancy over simulated time: levels in units of 1/10000 percent, with a last one of 0 where it ends.
struct MeasuredOccupancy {
  std::vector<Level> levels;

  static constexpr std::uint64_t kPerPercent = 10'000;
  static constexpr std::uint64_t kFull = 100 * kPerPercent;
  Picoseconds end() const { return levels.back().time; }
};

/// A simulated phase, and what was measured in its time; percent, time-weighted.
struct PhaseComparison {
  PhaseRow phase;
  Ratio simulated;
  Ratio measured;
};

/// A simulated run beside a measured one.
struct Comparison {
  std::vector<PhaseComparison> phases;
  Ratio simulated;   ///< percent, mean until both have ended
  Ratio measured;    ///< the same
  Ratio difference;  ///< mean absolute difference, percentage points, until both have ended
};

/// `measured` begins when the run of `view` does. The run took some time.
Comparison compare(const RunView& view, const MeasuredOccupancy& measured);

}  // namespace gdsim
