#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/lean_vectors.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/record/observer.hpp>
#include <gdsim/record/time_use.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace gdsim {

/// Says whether to record the reasons for which launches waited and contexts were free.
enum class KeepAccounts : std::uint8_t { no, yes };

/// Converts between the time of a run and the time of a process that shares the device in turn with others. The time of
/// the process stops while it does not have the device, so the time of the run is ahead by all spans of such stops.
class DeviceTime {
 public:
  /// Ends a stop: the process gets the device back at time `run` of the run, at its own time `process_time`.
  void go_on(SimTime process_time, SimTime run) { stops_.push_back({process_time, run - process_time}); }

  /// Calls `visit(begin, end, from, to)` for each contiguous part of a span of the process in the time of the run.
  /// `begin` and `end` are times of the run; `from` and `to` are the durations since the beginning of the span.
  template <class Visit>
  void split(SimTime begin, SimTime end, Visit visit) const {
    std::size_t next = first_behind(begin);
    SimTime from = begin;
    while (from < end) {
      const bool stops = next < stops_.size() && stops_[next].process_time < end;
      const SimTime to = stops ? stops_[next].process_time : end;
      const Duration ahead = ahead_behind(next);
      if (from < to) visit(from + ahead, to + ahead, from - begin, to - begin);
      from = to;
      if (stops) ++next;
    }
  }

 private:
  struct Stop {
    SimTime process_time;
    Duration ahead;  ///< the time of the run minus that of the process, from `process_time` on
  };

  /// Returns the number of stops up to and including `at`.
  std::size_t first_behind(SimTime at) const {
    const auto found = std::upper_bound(stops_.begin(), stops_.end(), at,
                                        [](SimTime time, const Stop& stop) { return time < stop.process_time; });
    return static_cast<std::size_t>(found - stops_.begin());
  }
  Duration ahead_behind(std::size_t stops) const { return stops == 0 ? Duration{} : stops_[stops - 1].ahead; }

  std::vector<Stop> stops_;  ///< in order
};

/// Returns the column of a wait of this kind; for Activity::memory, the column of `limit`.
inline constexpr WaitColumn wait_column(Activity kind, MemoryLimit limit) {
  return kind == Activity::memory ? column_of(limit) : column_of(kind);
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

/// Adds the waits of a run to several WaitSeries. It has no cost if there is no series.
class WaitLog {
 public:
  /// No series is null. The series must outlive this.
  explicit WaitLog(const std::vector<WaitSeries*>& series) {
    for (WaitSeries* target : series) series_.emplace_back(*target);
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
    for (WaitSeriesWriter& writer : series_) writer.start(time);
  }
  void add(const WaitSpan& span) {
    if (times_ != nullptr) return add_converted(span);
    for (WaitSeriesWriter& writer : series_) writer.add(span);
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
    for (WaitSeriesWriter& writer : series_) writer.finish(end);
  }

 private:
  /// Adds a wait without the spans in which its process did not have the device. Each part gets the wait that accrues
  /// in it.
  void add_converted(const WaitSpan& span) {
    const auto length = static_cast<Int128>((span.end - span.begin).count);
    const auto waited_at = [&](Duration passed) {
      return static_cast<std::int64_t>(static_cast<Int128>(span.waited) * passed.count / length);
    };
    times_->split(span.begin, span.end, [&](SimTime begin, SimTime end, Duration from, Duration to) {
      WaitSpan part = span;
      part.begin = begin;
      part.end = end;
      part.waited = waited_at(to) - waited_at(from);
      for (WaitSeriesWriter& writer : series_) writer.add(part);
    });
  }

  std::vector<WaitSeriesWriter> series_;
  std::optional<SimTime> started_;
  const DeviceTime* times_ = nullptr;  ///< null: reported times are times of the run
};

/// The milestones of one work-group, in 32 bytes: a run keeps millions of them.
struct WorkGroupRecord {
  CoreId core{};                           ///< of its first thread
  std::uint32_t threads_first_placed = 0;  ///< 0: no thread was ever placed; the other members are undefined
  SimTime first_placed;
  OptionalTime fully_placed;  ///< nullopt if threads remained unplaced at the end of the run
  OptionalTime ended;         ///< nullopt if the run deadlocked before

  bool was_placed() const { return threads_first_placed > 0; }
};

/// Keeps the record of every work-group that was placed.
class WorkGroupLog : public Observer {
 public:
  explicit WorkGroupLog(std::size_t launches) : by_launch_(launches) {}

  Detail detail() const override { return Detail::everything; }
  void on_instant(const Instant& now) override;

  /// Returns the records of one launch by work-group number, up to the highest that was placed. In a launch in
  /// partitions (PartitionRule), lower numbers may include work-groups that were not placed.
  std::span<const WorkGroupRecord> records_of(LaunchId launch) const { return by_launch_[index_of(launch)]; }
  /// Returns the further cores of a spread work-group, in the order in which its threads were placed on them.
  std::vector<CoreId> more_cores_of(LaunchId launch, WorkGroupId group) const;

 private:
  std::vector<detail::GrowingBlock<WorkGroupRecord>> by_launch_;
  std::map<std::pair<LaunchId, WorkGroupId>, std::vector<CoreId>> more_cores_;
};

/// A tile that threads of a work-group took from a list.
struct TileRecord {
  LaunchId launch{};
  WorkGroupId work_group{};
  std::uint32_t step = 0;  ///< number among the program's steps `tiles`, from 0
  std::uint64_t tile = 0;
  CoreId core{};
  SimTime begin;       ///< the first thread took it
  OptionalTime ended;  ///< the last thread had completed it; nullopt if one had not when the run ended
};

/// Keeps the tiles that work-groups take in one run, in the order of their begins. It is empty if there are more than
/// `max`, and on a device that is preempted.
class TileLog {
 public:
  explicit TileLog(std::size_t max) : max_(max) {}

  /// Threads take a tile, of which only `ended` is not yet known. Other threads of the work-group may have it already.
  void begin(const TileRecord& taken, std::uint32_t threads);
  /// Threads have completed a tile that they took.
  void end(const TileRecord& taken, std::uint32_t threads, SimTime time);

  const std::vector<TileRecord>& tiles() const { return tiles_; }
  bool has_too_many() const { return has_too_many_; }

 private:
  using Key = std::tuple<LaunchId, WorkGroupId, std::uint32_t, std::uint64_t>;
  struct Taken {
    std::size_t index = 0;      ///< in tiles_
    std::uint64_t threads = 0;  ///< that have it
  };

  static Key key_of(const TileRecord& tile) { return {tile.launch, tile.work_group, tile.step, tile.tile}; }

  std::size_t max_;
  bool has_too_many_ = false;
  std::vector<TileRecord> tiles_;
  std::map<Key, Taken> taken_;
};

}  // namespace gdsim
