#pragma once

#include <gdsim/analysis/run_view.hpp>
#include <gdsim/base/decimal.hpp>
#include <gdsim/base/quantity.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// A span of time with one measured occupancy, in units of 1/10000 percent.
struct MeasuredSpan {
  SimTime begin;
  SimTime end;
  std::uint64_t occupancy = 0;
};

/// Measured occupancy over simulated time: ordered, non-empty spans that do not overlap. Between them it is unknown.
struct MeasuredOccupancy {
  std::vector<MeasuredSpan> spans;

  static constexpr std::uint64_t kPerPercent = 10'000;
  static constexpr std::uint64_t kFull = 100 * kPerPercent;
  SimTime end() const { return spans.back().end; }
};

/// Simulated and measured occupancy where both are known; percent, time-weighted.
struct Overlap {
  Duration time;  ///< for which both are known
  Ratio simulated;
  Ratio measured;
  Ratio difference;  ///< mean absolute difference, percentage points
};

/// A simulated phase compared with the measurement during it; nullopt if nothing was measured.
struct PhaseComparison {
  Phase phase;
  std::optional<Overlap> overlap;
};

/// A simulated run compared with a measured one.
struct Comparison {
  std::vector<PhaseComparison> phases;
  Overlap whole;
};

/// Compares a run with a measurement, which must begin when the run begins. The run must have taken some time.
Comparison compare(const RunView& view, const MeasuredOccupancy& measured);

}  // namespace gdsim
