#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/in_order.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/record/phases.hpp>
#include <gdsim/record/run_record.hpp>
#include <gdsim/record/timeline.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

namespace gdsim {

/// An interval of constant residency that has not ended.
struct OpenInterval {
  SimTime begin;
  std::uint64_t resident = 0;    ///< threads
  Int128 running_time = 0;       ///< thread-picoseconds so far
  std::uint64_t cores_busy = 0;  ///< the maximum at any instant
  bool is_jump = false;          ///< the change to it was higher than PhaseRules::band

  /// Returns the integral if the interval ends at `end`, thread-picoseconds.
  Int128 resident_time(SimTime end) const { return Int128{static_cast<std::int64_t>(resident)} * (end - begin).count; }
};

/// One or more consecutive intervals of constant residency. Phases consist of items.
struct ResidencyItem {
  SimTime begin;
  SimTime end;
  Int128 resident_time = 0;        ///< thread-picoseconds
  Int128 running_time = 0;         ///< thread-picoseconds
  std::uint64_t cores_busy = 0;    ///< the maximum at any instant
  std::uint64_t min_resident = 0;  ///< threads
  std::uint64_t max_resident = 0;  ///< threads
  std::uint64_t first = 0;         ///< resident threads of the first interval
  std::uint64_t last = 0;          ///< resident threads of the last interval
  std::uint64_t intervals = 0;
  std::uint64_t risen = 0;   ///< threads by which the count rose between these intervals, summed over all rises
  std::uint64_t fallen = 0;  ///< threads by which it fell, summed over all falls
  std::uint64_t jumps = 0;   ///< changes higher than PhaseRules::band, including that to its first interval
  bool is_long = false;      ///< it is one interval that was long enough for a phase when it ended

  ResidencyItem() = default;
  /// Consists of one interval, which ends at `interval_end`.
  ResidencyItem(const OpenInterval& interval, SimTime interval_end);

  Duration duration() const { return end - begin; }
  /// Appends `next`, which begins where this ends.
  void append(const ResidencyItem& next);
  /// Appends an interval that begins where this ends, and ends at `interval_end`. Inline, because each change calls it.
  void append(const OpenInterval& interval, SimTime interval_end) {
    if (interval.resident > last) {
      risen += interval.resident - last;
    } else {
      fallen += last - interval.resident;
    }
    last = interval.resident;
    end = interval_end;
    resident_time += interval.resident_time(interval_end);
    running_time += interval.running_time;
    cores_busy = std::max(cores_busy, interval.cores_busy);
    min_resident = std::min(min_resident, interval.resident);
    max_resident = std::max(max_resident, interval.resident);
    ++intervals;
    jumps += interval.is_jump ? 1 : 0;
  }
};

/// Bounds the end of a band: each of its counts of threads is within PhaseRules::band of their mean, so no two counts
/// differ by more than twice that. Calls with ascending `begin` visit each item only once.
class BandReach {
 public:
  /// Bounds bands of items before `end`. All arguments must outlive this.
  BandReach(std::span<const ResidencyItem> items, std::size_t end, const PhaseRules& rules)
      : items_(items), end_(end), rules_(rules) {}

  /// Returns the first item that no band from `begin` on can reach. `begin` must not decrease.
  std::size_t max_end(std::size_t begin) {
    while (!lowest_.empty() && lowest_.front() < begin) lowest_.pop_front();
    while (!highest_.empty() && highest_.front() < begin) highest_.pop_front();
    if (next_ < begin) next_ = begin;
    while (next_ < end_ && is_within(items_[next_])) take(next_++);
    return next_;
  }

 private:
  bool is_within(const ResidencyItem& item) const {
    const std::uint64_t lowest =
        lowest_.empty() ? item.min_resident : std::min(item.min_resident, items_[lowest_.front()].min_resident);
    const std::uint64_t highest =
        highest_.empty() ? item.max_resident : std::max(item.max_resident, items_[highest_.front()].max_resident);
    return UInt128{highest - lowest} * rules_.band.denominator <= 2 * UInt128{rules_.contexts} * rules_.band.numerator;
  }

  void take(std::size_t i) {
    while (!lowest_.empty() && items_[lowest_.back()].min_resident >= items_[i].min_resident) lowest_.pop_back();
    while (!highest_.empty() && items_[highest_.back()].max_resident <= items_[i].max_resident) highest_.pop_back();
    lowest_.push_back(i);
    highest_.push_back(i);
  }

  std::span<const ResidencyItem> items_;
  std::size_t end_;
  const PhaseRules& rules_;
  std::size_t next_ = 0;             ///< the position after the last item taken
  std::deque<std::size_t> lowest_;   ///< taken items, each with lower counts than later ones
  std::deque<std::size_t> highest_;  ///< taken items, each with higher counts than later ones
};

// Rule, to the picosecond: phases.
//
// The functions of phase_shapes.cpp are in the order of these steps.
//
// `min_phase` (default `0.5 %` of the time from first dispatch to last end; or a time) is the shortest phase.
//
// Phases are found in one pass, in memory that does not grow with the run:
//
// 1. An "interval" lasts from one change of the number of resident threads to the next. One that lasts at least
//    `min_phase` of the time elapsed when it ends is kept. Shorter ones are summed up in up to 2,048 "cells":
//    equally wide stretches of time from the first dispatch on, whose width in picoseconds is a power of two that
//    doubles as the run gets longer. An interval belongs to the cell in which it begins; intervals are never cut,
//    so every boundary of a phase is a change of residency. A "jump" is a change by more than 2.5 % of the
//    contexts. A cell is parted at its jumps unless there are more than three.
// 2. At the end, an item is an interval that was kept, or a part of a cell. It is "long" if it is an interval that
//    lasts at least `min_phase` of the whole run. A long item is a "step" if it is shorter than 20 `min_phase` and
//    if neither the change to it nor the change after it is a jump. Steps and items that are not long, next to
//    each other, make a "stretch".
// 3. Long items outside of stretches are constant phases. In a stretch of fewer than nine intervals, steps are
//    constant phases, too, and an item that is not long is a transition. A stretch shorter than `min_phase` is a
//    transition.
// 4. In any other stretch, the longest band is found, then the longest ones to the left and to the right of it,
//    and so on. A band lasts at least `min_phase` and an eighth of its stretch. Its count stays within the band
//    around its mean. The sum of its rises and the sum of its falls differ by at most half of both together.
// 5. A part without bands "swings" if the sums of its rises and falls balance as in a band and at least every
//    fourth change of it is a jump: it is one phase, with its range in `threads_min` and `threads_max`. Else it
//    is cut at jumps, and where an item that is shorter than `min_phase` rises by a quarter of the contexts or
//    more: a device that takes time to dispatch fills in many small steps. Neighbors that are shorter than
//    `min_phase` stay together. In the others, and in a part that swings, a piece at the beginning and a piece at
//    the end in which the count only rises or only falls are phases of their own if they last `min_phase`. Each piece
//    is a `tail` if it falls at least three times as much as it rises, else a `ramp`; a piece shorter than `min_phase`
//    is a transition.
// 6. Two constant phases of the same count with nothing but a transition between them are one, if its mean stays
//    within half a percentage point of that count. `threads_min` and `threads_max` show the dip.
//
// Why steps are no phases. A tail of drawn durations ends in ever longer steps: of 512 blocks with lognormal
// durations (cv 0.5) on an RTX 4090, some two dozen constant stretches last at least `min_phase` each. If each of
// them were a phase, the run would have 26; with steps up to 8 `min_phase` it has 9, with steps up to 20 it has 4:
// plateau, tail, and the last two blocks. A stretch that is longer, that has a jump at one of its ends, or that
// has fewer than nine intervals around it is always a constant phase, so all documented phases are.
//
// Why a part that swings is a `ramp`. A band is within 2.5 points of its mean, whatever the device. A device that
// holds twenty work-groups cannot be as steady as that: each is 5 %. Its ups and downs are one phase, not one for
// each jump, but the phase has no level that a file could expect.

/// The properties of a run that its phases depend on, besides the items of its profile.
struct ResidencyRun {
  SimTime begin;
  SimTime end;
  std::uint64_t last_resident = 0;  ///< resident threads at `end`
};

/// Returns the phases of a profile by the rule above. `items` follow each other without gaps from the first dispatch to
/// the end.
PhaseList phases_of(std::span<const ResidencyItem> items, const ResidencyRun& run, const PhaseRules& rules);

/// Collects the data from which the phases of a run are derived, in one pass and in bounded memory: the first step of
/// the rule above. At most a few thousand intervals are kept.
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
  std::vector<ResidencyItem> items_;
  unsigned cell_bits_ = 0;  ///< a cell lasts 2 to this power picoseconds
};

/// Returns the percentile by nearest rank of `sorted`, which must be ascending and not empty. `percent` is at least 1.
template <class T>
const T& percentile_of(const std::vector<T>& sorted, std::size_t percent) {
  return sorted[(sorted.size() * percent + 99) / 100 - 1];
}

/// Exact statistics of values of equal weight. Percentiles are by nearest rank.
template <class T>
struct Spread {
  T min{};
  T p5{};
  T p50{};
  T p95{};
  T max{};
};

/// Returns the statistics of `sorted`, which must be ascending and not empty.
template <class T>
Spread<T> spread_of(const std::vector<T>& sorted) {
  return {sorted.front(), percentile_of(sorted, 5), percentile_of(sorted, 50), percentile_of(sorted, 95),
          sorted.back()};
}

/// One interval of time of all runs, a row of `bands.csv`, with each run's integral of resident threads over it,
/// thread-picoseconds. The integral is 0 after the end of a run; threads of a deadlocked run hold their contexts to the
/// end of the last band.
struct RepetitionInterval {
  SimTime begin;
  SimTime end;
  Int128 sum = 0;  ///< of all runs
  Spread<Int128> resident_time;
};

/// Divides the time from the first start to the last end of the runs into `count` bands. The last may be shorter.
std::vector<RepetitionInterval> make_bands(std::span<const ResidentTimeline> runs, std::size_t count, Jobs jobs = {});

/// One of several runs that differ only in their seeds.
struct Repetition {
  std::uint64_t number = 0;  ///< from 1; every seed is higher by `number` - 1
  RunRecord record;
};

/// The maximum number of runs.
inline constexpr std::uint64_t kMaxRepetitions = 10'000;

/// The results of all runs.
struct Repetitions {
  std::vector<Repetition> runs;  ///< all runs that were not interrupted
  std::uint64_t planned = 0;
  std::vector<RepetitionInterval> bands;
  std::uint64_t contexts_total = 0;
};

}  // namespace gdsim
