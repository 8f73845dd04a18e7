#pragma once

#include <gdsim/base/quantity.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace gdsim {

/// Converts between the time of a run and the time of a process that shares the device in turn with others. The time of
/// the process stops while it does not have the device, so the time of the run is ahead by all spans of such stops.
class DeviceTime {
 public:
  /// Ends a stop: the process gets the device back at time `run` of the run, at its own time `own`.
  void go_on(SimTime own, SimTime run) { stops_.push_back({own, run - own}); }

  /// Calls `visit(begin, end, from, to)` for each contiguous part of a span of the process in the time of the run.
  /// `begin` and `end` are times of the run; `from` and `to` are the durations since the beginning of the span.
  template <class Visit>
  void split(SimTime begin, SimTime end, Visit visit) const {
    std::size_t next = first_behind(begin);
    SimTime from = begin;
    while (from < end) {
      const bool stops = next < stops_.size() && stops_[next].own < end;
      const SimTime to = stops ? stops_[next].own : end;
      const Duration ahead = ahead_behind(next);
      if (from < to) visit(from + ahead, to + ahead, from - begin, to - begin);
      from = to;
      if (stops) ++next;
    }
  }

 private:
  struct Stop {
    SimTime own;
    Duration ahead;  ///< the time of the run minus that of the process, from `own` on
  };

  /// Returns the number of stops up to and including `at`.
  std::size_t first_behind(SimTime at) const {
    const auto found = std::upper_bound(stops_.begin(), stops_.end(), at,
                                        [](SimTime time, const Stop& stop) { return time < stop.own; });
    return static_cast<std::size_t>(found - stops_.begin());
  }
  Duration ahead_behind(std::size_t stops) const { return stops == 0 ? Duration{} : stops_[stops - 1].ahead; }

  std::vector<Stop> stops_;  ///< in order
};

}  // namespace gdsim
