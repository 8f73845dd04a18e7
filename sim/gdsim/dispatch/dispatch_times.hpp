#pragma once

#include <gdsim/device/clock_schedule.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

// Rule, to the picosecond: the interval.
//
// Placing n threads, also more threads of a partial work-group, makes the dispatcher busy for max(`per_work_group`, n
// x `per_thread`), beginning with the placement. All n begin at once. When the time is over, a dispatch turn takes
// place.

namespace gdsim {

/// The durations of dispatching on a device under its rules.
class DispatchTimes {
 public:
  /// The device and the rules must have passed check_timing().
  DispatchTimes(const DeviceSpec& device, const DispatchRules& rules);

  /// Returns true if there is a launch cost (LaunchCost).
  bool launches_cost() const { return has(&Lengths::serial) || has_overlapping(); }
  bool has_overlapping() const { return has(&Lengths::overlapping); }
  /// Return the end of a part of a launch cost that begins at `begin`.
  SimTime end_of_serial(SimTime begin) const { return end(begin, &Lengths::serial); }
  SimTime end_of_overlapping(SimTime begin) const { return end(begin, &Lengths::overlapping); }
  /// Returns the time until which a dispatcher is busy if it places `threads` threads of each of `work_groups`
  /// work-groups at `begin`.
  SimTime end_of_busy(SimTime begin, std::uint32_t threads, std::uint64_t work_groups) const {
    return clocks_.end(begin, [&](std::size_t clock) {
      const Lengths& lengths = by_clock_[clock];
      return times(Duration{std::max(lengths.per_work_group.count, lengths.per_thread.count * threads)}, work_groups);
    });
  }

 private:
  struct Lengths {
    Duration serial;  ///< the serial part of a launch cost
    Duration overlapping;
    Duration per_work_group;
    Duration per_thread;
  };

  bool has(Duration Lengths::*part) const {
    return std::any_of(by_clock_.begin(), by_clock_.end(),
                       [&](const Lengths& lengths) { return (lengths.*part).count > 0; });
  }
  SimTime end(SimTime begin, Duration Lengths::*part) const {
    return clocks_.end(begin, [&](std::size_t clock) { return by_clock_[clock].*part; });
  }

  ClockSchedule clocks_;
  std::vector<Lengths> by_clock_;
};

}  // namespace gdsim
