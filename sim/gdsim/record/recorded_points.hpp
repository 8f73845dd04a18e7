#pragma once

#include <gdsim/record/timeline.hpp>

#include <cstddef>
#include <cstdint>

namespace gdsim {

/// Change points while they are recorded. A reader gets them as ChangePoints. Not thread-safe.
template <class Point>
class RecordedPoints : public ChangePoints<Point> {
 public:
  /// The time must not be before that of the last point.
  void push_back(const Point& point) { this->points_.push_back(point); }
  /// Repeats the stored points from `first` on `count` more times, each time `period` later. All of them must be after
  /// the last loop. No effect if there are none.
  void repeat_from(std::size_t first, std::uint64_t count, Duration period) {
    const std::size_t end = this->points_.size();
    if (first == end || count == 0) return;
    this->loops_.push_back({first, end, count + 1, period, this->size() - (end - first)});
  }
};

/// Returns the points `make(point)` of all points of `from`, with the same loops.
template <class To, class From, class Make>
RecordedPoints<To> map_points(ChangePointsView<From> from, Make make) {
  RecordedPoints<To> to;
  from.visit_pieces([&](const auto& piece) {
    const std::size_t first = to.kept();
    for (const From& point : piece.points) to.push_back(make(point));
    to.repeat_from(first, piece.repetitions - 1, piece.period);
  });
  return to;
}

}  // namespace gdsim
