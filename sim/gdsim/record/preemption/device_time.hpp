#pragma once

#include <gdsim/base/quantity.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace gdsim {

/// The time of a process on a device that it shares in turn with others: it stands still while the process does not
/// have the device. The time of the run is ahead of it by all spans in which it stood still.
class DeviceTime {
 public:
  /// The time of the run minus `at`, a time of the process: after every stop that is known then.
  Duration ahead_at(SimTime at) const { return ahead_behind(first_behind(at)); }
  /// The process gets the device back at time `run` of the run; its own time is `own`.
  void go_on(SimTime own, SimTime run) { stops_.push_back({own, run - own}); }

  /// Calls `visit(begin, end, from, to)` for each contiguous part of the span in the time of the run: its beginning and
  /// its end there, and how much of the whole had passed at both.
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
    Duration ahead;  ///< from that time on
  };

  /// The number of stops up to and including `at`.
  std::size_t first_behind(SimTime at) const {
    const auto found = std::upper_bound(stops_.begin(), stops_.end(), at,
                                        [](SimTime time, const Stop& stop) { return time < stop.own; });
    return static_cast<std::size_t>(found - stops_.begin());
  }
  Duration ahead_behind(std::size_t stops) const { return stops == 0 ? Duration{} : stops_[stops - 1].ahead; }

  std::vector<Stop> stops_;  ///< in order
};

}  // namespace gdsim
