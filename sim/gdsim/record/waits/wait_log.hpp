#pragma once

#include <gdsim/base/copying/bound.hpp>
#include <gdsim/base/decimal.hpp>
#include <gdsim/record/preemption/device_time.hpp>
#include <gdsim/record/segment.hpp>
#include <gdsim/record/waits/wait_series_writer.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// Adds the waits of a run to several WaitSeries. While a period is recorded, it also stores the waits, so that they
/// can be repeated with the period. It has no cost if there is no series.
class WaitLog {
 public:
  /// No series is null. The series must outlive this.
  explicit WaitLog(const std::vector<WaitSeries*>& series) : series_(series) {}

  /// Converts reported times from times of a process to times of the run. `times` must outlive this. The caller then
  /// starts and finishes the series, because several processes share them.
  void convert_by(const DeviceTime& times) { times_.bind(&times); }

  bool is_on() const { return !series_.all.empty(); }
  /// The first call starts the series: its `time` is the first dispatch. Later calls have no effect.
  void start(SimTime time) {
    if (started_) return;
    started_ = time;
    if (times_) return;
    for (WaitSeriesWriter& one : series_.all) one.start(time);
  }
  void add(const WaitSpan& span) {
    if (times_) return add_converted(span);
    for (WaitSeriesWriter& one : series_.all) one.add(span);
    if (is_recording_) recorded_.push_back(span);
    if (journal_) journal_->push_back(span);
  }
  /// From now on, also appends added waits to `journal`, which must outlive its use. Null ends this.
  void note_in(std::vector<WaitSpan>* journal) { journal_.bind(is_on() ? journal : nullptr); }
  /// Returns true if the first dispatch has taken place.
  bool has_started() const { return started_.has_value(); }
  /// Adds a wait of a launch for dispatch. The time before the first dispatch is not counted.
  void add_launch(SimTime begin, SimTime end) {
    if (!is_on() || !started_) return;
    begin = std::max(begin, *started_);
    if (begin < end) add({begin, end, (end - begin).count, 1, dispatch_column(series_.all.front().columns()), 0, {}});
  }
  /// Reports the end of the run.
  void finish(SimTime end) {
    if (times_) return;
    for (WaitSeriesWriter& one : series_.all) one.finish(end);
  }

  /// Returns true if the period has too many waits (about 50 MB) to be worth recording.
  bool is_too_long() const { return recorded_.size() > std::size_t{1} << 18U; }
  /// Begins to record a period: from now on, added waits belong to it.
  void record() {
    recorded_.clear();
    is_recording_ = is_on();
  }
  void drop() {
    recorded_.clear();
    is_recording_ = false;
  }
  /// Adds the waits recorded since record() `count` times more, each time `period` later. The record moves along.
  void repeat(std::uint64_t count, Duration period) {
    if (count == 0) return;
    const Duration passed = times(period, count);
    move_recorded(period);
    for (WaitSeriesWriter& one : series_.all) one.add_repeated(recorded_, count, period);
    move_recorded(passed - period);
  }

 private:
  /// Adds a wait without the spans in which its process did not have the device. Each part gets the wait that accrues
  /// in it. The wait must not be repeated: a run of several processes is not fast-forwarded.
  void add_converted(const WaitSpan& span) {
    const auto all = static_cast<Int128>((span.end - span.begin).count);
    const auto waited_at = [&](Duration passed) {
      return static_cast<std::int64_t>(static_cast<Int128>(span.waited) * passed.count / all);
    };
    times_->split(span.begin, span.end, [&](SimTime begin, SimTime end, Duration from, Duration to) {
      WaitSpan part = span;
      part.begin = begin;
      part.end = end;
      part.waited = waited_at(to) - waited_at(from);
      for (WaitSeriesWriter& one : series_.all) one.add(part);
    });
  }
  void move_recorded(Duration time) {
    for (WaitSpan& span : recorded_) {
      span.begin = span.begin + time;
      span.end = span.end + time;
    }
  }

  /// Assignment does not change the series: each log adds its waits to its own series.
  struct Series {
    std::vector<WaitSeriesWriter> all;

    explicit Series(const std::vector<WaitSeries*>& series) {
      for (WaitSeries* one : series) all.emplace_back(*one);
    }
    Series(const Series&) = default;
    Series& operator=(const Series&) { return *this; }
    ~Series() = default;
  };

  Series series_;
  std::optional<SimTime> started_;
  bool is_recording_ = false;
  std::vector<WaitSpan> recorded_;
  Bound<std::vector<WaitSpan>> journal_;
  Bound<const DeviceTime> times_;
};

}  // namespace gdsim
