#pragma once

#include <gdsim/record/phase_shapes.hpp>
#include <gdsim/record/phases.hpp>
#include <gdsim/record/timeline.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// Collects the data from which the phases of a run are derived, in one pass and in bounded memory.
///
/// An interval of constant residency that is long relative to the time elapsed when it ends is kept; there are at most
/// a few thousand. Short intervals that begin in the same cell are summed up, up to the next jump (a change higher than
/// a band), or over all jumps if a cell has more than kMaxJumps. Cells divide the time from the first dispatch on.
/// Their width is a power of two picoseconds; it doubles whenever there would be more than kMaxCells. Intervals are
/// never cut: every boundary of a phase is a change of residency.
class PhaseDetector {
 public:
  /// The maximum number of cells of a run. A run of at least this number of picoseconds has at least half of it.
  static constexpr std::uint64_t kMaxCells = 2'048;
  /// The maximum number of jumps that separate the items of a cell.
  static constexpr std::uint64_t kMaxJumps = 3;

  explicit PhaseDetector(const PhaseRules& rules) : rules_(rules) {}

  /// Sets the counts that the device has from `time` on.
  void state(SimTime time, const DeviceCounts& counts) {
    if (open_) account_until(time);
    if (!open_ || open_->resident != counts.resident.threads) open_interval(time, counts.resident.threads);
    open_->cores_busy = std::max(open_->cores_busy, counts.cores_busy);
    running_ = counts.resident.running;
  }

  /// Returns the phases up to `end`. The last one began at the last change of resident threads.
  PhaseList finish(SimTime end);

 private:
  void account_until(SimTime time) {
    open_->running_time += Int128{static_cast<std::int64_t>(running_)} * (time - accounted_).count;
    accounted_ = time;
  }
  /// Ends the open interval, if there is one, and begins another.
  void open_interval(SimTime begin, std::uint64_t resident);
  void close_interval(SimTime end);
  std::uint64_t cell_of(SimTime start) const {
    return static_cast<std::uint64_t>((start - first_).count) >> cell_bits_;
  }
  void widen_cells_for(SimTime start);
  void sum_up_last_cell();

  PhaseRules rules_;
  std::optional<OpenInterval> open_;  ///< nullopt before the first dispatch
  SimTime first_;
  SimTime accounted_;
  std::uint64_t running_ = 0;
  std::vector<ProfileItem> items_;
  unsigned cell_bits_ = 0;  ///< a cell lasts 2 to this power picoseconds
};

}  // namespace gdsim
