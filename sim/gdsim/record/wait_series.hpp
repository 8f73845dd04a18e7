#pragma once

#include <gdsim/base/int128.hpp>
#include <gdsim/record/wait_span.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// What threads waited for over time: thread-picoseconds by interval and column, in bounded memory.
///
/// Intervals are equally wide from the first dispatch on. Of a span, a thread has waited floor(waited x passed /
/// length) picoseconds when `passed` of its length have passed; an interval gets the difference between its two ends.
/// So the sum over all intervals is exact, and does not depend on how spans were grouped, repeated or reported.
class WaitSeries {
 public:
  /// Intervals of a series whose width follows the run: at most so many.
  static constexpr std::uint64_t kMaxIntervals = 2'048;

  /// Intervals last 1 ps at first; their width doubles whenever there would be more than kMaxIntervals.
  explicit WaitSeries(std::size_t columns) : columns_(columns) {}
  /// Intervals of this width, above 0; those behind `max_intervals` are left out.
  WaitSeries(std::size_t columns, Picoseconds width, std::uint64_t max_intervals)
      : columns_(columns), width_(width), fixed_(max_intervals) {}

  /// The first dispatch. To be called before any add(); all spans begin at or after it.
  void start(Picoseconds time) { start_ = time; }
  void add(const WaitSpan& span);

  Picoseconds width() const { return width_; }
  /// Thread-picoseconds; 0 where nothing was added.
  Int128 waited(std::uint64_t interval, std::size_t column) const;
  std::size_t columns() const { return columns_.size(); }
  /// Makes the intervals as wide as those of a run that ends then.
  void finish(Picoseconds end) { widen_for(end); }

 private:
  void widen_for(Picoseconds time);
  void add_to(std::uint64_t interval, WaitColumn column, Int128 time);

  std::vector<std::vector<Int128>> columns_;  ///< by column, then interval
  Picoseconds start_;
  Picoseconds width_{1};
  std::optional<std::uint64_t> fixed_;
};

}  // namespace gdsim
