#pragma once

#include <gdsim/record/time_use.hpp>
#include <gdsim/record/waits/wait_span.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace gdsim {

/// Writes the waits of one run into a WaitSeries, which must outlive it. Copies write into the same series.
class WaitSeriesWriter {
 public:
  explicit WaitSeriesWriter(WaitSeries& series) : series_(&series) {}

  /// Sets the time of the first dispatch. Must be called before any add(). No span may begin before it.
  void start(SimTime time);
  void add(const WaitSpan& span);
  /// Adds each of the spans, `count` times in total, each time `period` later.
  void add_repeated(std::span<const WaitSpan> spans, std::uint64_t count, Duration period);
  /// Makes the intervals as wide as a run that ends at `end` requires, and the series ready to be read. Must be called
  /// after the last add().
  void finish(SimTime end);

  std::size_t columns() const { return series_->columns(); }

 private:
  void add_between(const WaitSpan& span, std::uint64_t first, std::uint64_t end);
  /// Adds each of the spans `count` times, each time `period` later, up to the end of the series.
  void add_singly(std::vector<WaitSpan> waits, std::uint64_t count, Duration period);
  void widen_for(SimTime time);
  void change(WaitColumn column, std::uint64_t interval, std::int64_t threads);
  void count_changes(WaitSeries::Column& column) const;
  /// Returns true if the width is fixed and `time` is after the last interval.
  bool lies_behind(SimTime time) const;
  void add_to(std::uint64_t interval, WaitColumn column, Int128 time);

  WaitSeries* series_;
};

}  // namespace gdsim
