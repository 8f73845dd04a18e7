#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/record/preemption/device_time.hpp>
#include <gdsim/record/waits/wait_series_writer.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// Adds the waits of a run to several WaitSeries. It has no cost if there is no series.
class WaitLog {
 public:
  /// No series is null. The series must outlive this.
  explicit WaitLog(const std::vector<WaitSeries*>& series) {
    for (WaitSeries* one : series) series_.emplace_back(*one);
  }

  /// Converts reported times from times of a process to times of the run. `times` must outlive this. The caller then
  /// starts and finishes the series, because several processes share them.
  void convert_by(const DeviceTime& times) { times_ = &times; }

  bool is_on() const { return !series_.empty(); }
  /// The first call starts the series: its `time` is the first dispatch. Later calls have no effect.
  void start(SimTime time) {
    if (started_) return;
    started_ = time;
    if (times_ != nullptr) return;
    for (WaitSeriesWriter& one : series_) one.start(time);
  }
  void add(const WaitSpan& span) {
    if (times_ != nullptr) return add_converted(span);
    for (WaitSeriesWriter& one : series_) one.add(span);
  }
  /// Adds a wait of a launch for dispatch. The time before the first dispatch is not counted.
  void add_launch(SimTime begin, SimTime end) {
    if (!is_on() || !started_) return;
    begin = std::max(begin, *started_);
    if (begin < end) add({begin, end, (end - begin).count, 1, dispatch_column(series_.front().columns())});
  }
  /// Reports the end of the run.
  void finish(SimTime end) {
    if (times_ != nullptr) return;
    for (WaitSeriesWriter& one : series_) one.finish(end);
  }

 private:
  /// Adds a wait without the spans in which its process did not have the device. Each part gets the wait that accrues
  /// in it.
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
      for (WaitSeriesWriter& one : series_) one.add(part);
    });
  }

  std::vector<WaitSeriesWriter> series_;
  std::optional<SimTime> started_;
  const DeviceTime* times_ = nullptr;  ///< null: reported times are times of the run
};

}  // namespace gdsim
