#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/record/time_use.hpp>

#include <cstddef>
#include <cstdint>

namespace gdsim {

/// Returns the column of a wait of this kind; for TimeKind::memory, the column of `limit`.
inline constexpr WaitColumn wait_column(TimeKind kind, MemoryLimit limit) {
  return kind == TimeKind::memory ? column_of(limit) : column_of(kind);
}

/// Threads that waited for the same cause, from `begin` to `end` or during a part of that time. The wait is spread
/// evenly over the span: a thread that shares a resource executes at a part of its speed and waits otherwise.
struct WaitSpan {
  SimTime begin;
  SimTime end;
  std::int64_t waited = 0;  ///< picoseconds per thread, at most end - begin
  std::uint64_t threads = 0;
  WaitColumn column = 0;
};

/// Writes the waits of one run into a WaitSeries.
class WaitSeriesWriter {
 public:
  /// The series must outlive this.
  explicit WaitSeriesWriter(WaitSeries& series) : series_(series) {}

  /// Sets the time of the first dispatch. Must be called before any add(). No span may begin before it.
  void start(SimTime time);
  void add(const WaitSpan& span);
  /// Makes the intervals as wide as a run that ends at `end` requires, and the series ready to be read. Must be called
  /// after the last add().
  void finish(SimTime end);

  std::size_t columns() const { return series_.columns(); }

 private:
  void widen_for(SimTime time);
  void change(WaitColumn column, std::uint64_t interval, std::int64_t threads);
  void count_changes(WaitSeries::Column& column) const;
  void add_to(std::uint64_t interval, WaitColumn column, Int128 time);

  WaitSeries& series_;
};

}  // namespace gdsim
