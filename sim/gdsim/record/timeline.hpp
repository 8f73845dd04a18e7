#pragma once

#include <gdsim/base/lean_vectors.hpp>
#include <gdsim/base/quantity.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

// The device over time, as change points: there is a point exactly where a count changes.

namespace gdsim {

/// A loop of stored change points: the points from `begin` to before `end` occur `repetitions` times, each repetition
/// `period` later than the previous one.
struct ChangePointLoop {
  std::size_t begin = 0;
  std::size_t end = 0;            ///< above `begin`
  std::uint64_t repetitions = 1;  ///< including the first
  Duration period;                ///< at least the time between the first point and the last
  std::uint64_t first = 0;        ///< the index of the first point of its first repetition, among all points
};

namespace detail {

/// Returns the last loop whose first point has an index of at most `index`, or null if there is none.
const ChangePointLoop* loop_at(std::span<const ChangePointLoop> loops, std::uint64_t index);

}  // namespace detail

/// A view of change points by ascending times, in which each loop is expanded to all its repetitions. The points and
/// loops must outlive the view. Any number of threads may read it.
///
///     std::uint64_t most = 0;
///     for (const gdsim::TimelinePoint& point : result.timeline) most = std::max(most, point.counts.cores_busy);
template <class Point>
class ChangePointsView {
 public:
  class Iterator;
  /// Stored points, and the number of their repetitions.
  struct Piece {
    std::span<const Point> points;
    std::uint64_t repetitions = 1;
    Duration period;
  };

  ChangePointsView() = default;
  ChangePointsView(std::span<const Point> points, std::span<const ChangePointLoop> loops)
      : points_(points), loops_(loops) {}
  /// A view of points without loops.
  ChangePointsView(const std::vector<Point>& points) : points_(points) {}  // NOLINT: a view of the vector

  Iterator begin() const { return Iterator(*this, 0); }
  Iterator end() const { return Iterator(*this, points_.size()); }
  bool empty() const { return points_.empty(); }
  std::uint64_t size() const {
    if (loops_.empty()) return points_.size();
    const ChangePointLoop& last = loops_.back();
    return last.first + last.repetitions * (last.end - last.begin) + (points_.size() - last.end);
  }
  Point front() const { return points_.front(); }
  Point back() const { return (*this)[size() - 1]; }
  Point operator[](std::uint64_t index) const;
  /// Calls `use(piece)` for each piece, in order. No piece is empty.
  template <class Use>
  void visit_pieces(Use use) const;

 private:
  std::span<const Point> points_;
  std::span<const ChangePointLoop> loops_;
};

/// Iterates over all repetitions of all loops. Points are returned by value.
template <class Point>
class ChangePointsView<Point>::Iterator {
 public:
  using iterator_concept = std::forward_iterator_tag;  // from <vector>: <iterator> would include streams
  using iterator_category = std::input_iterator_tag;   // the category of C++17: `reference` is a value
  using value_type = Point;
  using difference_type = std::ptrdiff_t;
  /// Holds the point to which operator->() refers until the end of the expression.
  struct Arrow {
    Point point;
    const Point* operator->() const { return &point; }
  };
  using pointer = Arrow;
  using reference = Point;

  Iterator() = default;
  Iterator(const ChangePointsView& all, std::size_t at) : all_(all), at_(at) {}

  Point operator*() const {
    Point point = all_.points_[at_];
    point.time = point.time + shift_;
    return point;
  }
  Arrow operator->() const { return {**this}; }
  Iterator& operator++() {
    ++at_;
    if (loop_ == all_.loops_.size() || at_ != all_.loops_[loop_].end) return *this;
    const ChangePointLoop& loop = all_.loops_[loop_];
    if (++repetition_ < loop.repetitions) {
      at_ = loop.begin;
      shift_ = shift_ + loop.period;
    } else {
      repetition_ = 0;
      shift_ = {};
      ++loop_;
    }
    return *this;
  }
  Iterator operator++(int) {
    const Iterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const Iterator& a, const Iterator& b) {
    return a.at_ == b.at_ && a.repetition_ == b.repetition_;
  }

  /// Returns the number of repetitions after the current one if the iterator is at the first point of a repetition,
  /// else 0. Each of them has `repetition().points.size()` points.
  std::uint64_t repetitions_to_skip() const {
    if (loop_ == all_.loops_.size() || at_ != all_.loops_[loop_].begin) return 0;
    return all_.loops_[loop_].repetitions - repetition_ - 1;
  }
  /// As above, but counts only repetitions that end by `time`.
  std::uint64_t repetitions_to_skip(SimTime time) const {
    const std::uint64_t repetitions = repetitions_to_skip();
    if (repetitions == 0) return 0;
    const SimTime first = (**this).time;
    if (time < first) return 0;
    const auto ended = static_cast<std::uint64_t>((time - first).count / all_.loops_[loop_].period.count);
    return ended < repetitions ? ended : repetitions;
  }
  /// Returns the points of the current repetition, with their times in the first repetition.
  Piece repetition() const {
    const ChangePointLoop& loop = all_.loops_[loop_];
    return {all_.points_.subspan(loop.begin, loop.end - loop.begin), loop.repetitions, loop.period};
  }
  void skip_repetitions(std::uint64_t count) {
    repetition_ += count;
    shift_ = shift_ + Duration{static_cast<std::int64_t>(count) * all_.loops_[loop_].period.count};
  }

 private:
  ChangePointsView all_;
  std::size_t at_ = 0;
  std::size_t loop_ = 0;  ///< the next loop, or the current one
  std::uint64_t repetition_ = 0;
  Duration shift_;
};

template <class Point>
Point ChangePointsView<Point>::operator[](std::uint64_t index) const {
  const ChangePointLoop* found = detail::loop_at(loops_, index);
  if (found == nullptr) return points_[static_cast<std::size_t>(index)];
  const ChangePointLoop& loop = *found;
  const std::uint64_t length = loop.end - loop.begin;
  const std::uint64_t in_loop = index - loop.first;
  if (in_loop >= length * loop.repetitions)
    return points_[loop.end + static_cast<std::size_t>(in_loop - length * loop.repetitions)];
  Point point = points_[loop.begin + static_cast<std::size_t>(in_loop % length)];
  point.time = point.time + Duration{static_cast<std::int64_t>(in_loop / length) * loop.period.count};
  return point;
}

template <class Point>
template <class Use>
void ChangePointsView<Point>::visit_pieces(Use use) const {
  std::size_t at = 0;
  for (const ChangePointLoop& loop : loops_) {
    if (at < loop.begin) use(Piece{points_.subspan(at, loop.begin - at), 1, {}});
    use(Piece{points_.subspan(loop.begin, loop.end - loop.begin), loop.repetitions, loop.period});
    at = loop.end;
  }
  if (at < points_.size()) use(Piece{points_.subspan(at), 1, {}});
}

/// Change points by ascending times. Recurring points are stored once: memory is proportional to the number of stored
/// points. Any number of threads may read them.
template <class Point>
class ChangePoints {
 public:
  using value_type = Point;

  operator ChangePointsView<Point>() const { return {points_, loops_}; }  // NOLINT: a view of the same points
  ChangePointsView<Point> view() const { return *this; }
  auto begin() const { return view().begin(); }
  auto end() const { return view().end(); }
  bool empty() const { return points_.empty(); }
  std::uint64_t size() const { return view().size(); }
  /// Returns the number of stored points. Each may occur many times.
  std::size_t kept() const { return points_.size(); }
  Point front() const { return points_.front(); }
  Point back() const { return view().back(); }
  Point operator[](std::uint64_t index) const { return view()[index]; }

 protected:
  detail::GrowingBlock<Point> points_;
  std::vector<ChangePointLoop> loops_;
};

/// The residency at one instant, of one core or of the whole device.
struct Residency {
  std::uint64_t threads = 0;      ///< that hold a context
  std::uint64_t running = 0;      ///< that execute a step
  std::uint64_t work_groups = 0;  ///< partially placed ones included
  Bytes slm;                      ///< allocated

  std::uint64_t stalled() const { return threads - running; }
  friend bool operator==(const Residency&, const Residency&) = default;
};

/// The state of the whole device at one instant.
struct DeviceCounts {
  Residency resident;
  std::uint64_t work_groups_partial = 0;
  std::uint64_t cores_busy = 0;  ///< cores with at least one held context

  friend bool operator==(const DeviceCounts&, const DeviceCounts&) = default;
};

/// The change points that a run keeps: none, only values derived from them; those of resident threads; or all.
///
///     gdsim::RunOptions options;
///     options.keep_timeline = gdsim::KeepTimeline::yes;
enum class KeepTimeline : std::uint8_t { no, resident_threads, yes };

/// From `time` on, the device is in this state.
///
///     for (const gdsim::TimelinePoint& point : result.timeline)
///       std::cout << point.time.count << " ps: " << point.counts.resident.threads << " threads\n";
struct TimelinePoint {
  SimTime time;
  DeviceCounts counts;
};

/// The device over time as exact change points: there is a point exactly where a count changes. Recurring points are
/// stored once.
using Timeline = ChangePoints<TimelinePoint>;

/// From `time` on, this many threads are resident.
struct ResidentPoint {
  SimTime time;
  std::uint64_t threads = 0;
};

/// The resident threads of the device over time. It takes at most a quarter of the memory of a Timeline.
struct ResidentTimeline {
  ChangePoints<ResidentPoint> points;  ///< the first is at the first dispatch, the others where the number may change
  SimTime end;                         ///< end of the run; 0 if nothing was dispatched
};

/// Returns the resident threads of `timeline` for a run that ends at `end`. Thread-safe.
ResidentTimeline resident_of(const Timeline& timeline, SimTime end);

}  // namespace gdsim
