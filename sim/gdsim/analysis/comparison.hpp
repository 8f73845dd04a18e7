#pragma once

#include <gdsim/analysis/run_view.hpp>
#include <gdsim/base/decimal.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/record/run_record.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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

/// The time that a method of timing adds to the duration of a single kernel.
struct TimerAllowance {
  std::string_view name;    ///< as in `--timer NAME`
  std::string_view what;    ///< the timer, in words
  Duration adds;            ///< to the time from a kernel's begin to its end
  std::string_view source;  ///< where the number comes from
};

/// Returns those of nvbench, do_bench, cuda_events and profiler.
std::span<const TimerAllowance> timer_allowances();

/// Returns the timer of this name, or null.
const TimerAllowance* find_timer(std::string_view name);

/// `nvbench's cold timing adds about 1.4 us (SOURCE)`
std::string timer_words(const TimerAllowance& timer);

/// `nvbench's cold timing adds about 1.4 us (SOURCE). It would show k 12.4 us; around the whole run, 12.4 us.` Launches
/// that have not ended are left out.
std::string timer_note(const TimerAllowance& timer, const Workload& workload, const RunRecord& record);

}  // namespace gdsim
