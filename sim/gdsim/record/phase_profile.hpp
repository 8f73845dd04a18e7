#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/quantity.hpp>

#include <algorithm>
#include <cstdint>

namespace gdsim {

/// An interval of constant residency that has not ended.
struct OpenInterval {
  SimTime begin;
  std::uint64_t resident = 0;    ///< threads
  Int128 running_time = 0;       ///< thread-picoseconds so far
  std::uint64_t cores_busy = 0;  ///< the maximum at any instant
  bool is_jump = false;          ///< the change to it was higher than a band

  /// Returns the integral if the interval ends at `end`, thread-picoseconds.
  Int128 resident_time(SimTime end) const { return Int128{static_cast<std::int64_t>(resident)} * (end - begin).count; }
};

/// One or more consecutive intervals of constant residency. Phases consist of items.
struct ProfileItem {
  SimTime begin;
  SimTime end;
  Int128 resident_time = 0;        ///< thread-picoseconds
  Int128 running_time = 0;         ///< thread-picoseconds
  std::uint64_t cores_busy = 0;    ///< the maximum at any instant
  std::uint64_t min_resident = 0;  ///< threads
  std::uint64_t max_resident = 0;  ///< threads
  std::uint64_t first = 0;         ///< resident threads of the first interval
  std::uint64_t last = 0;          ///< resident threads of the last interval
  std::uint64_t intervals = 0;
  std::uint64_t risen = 0;   ///< threads by which the count rose between these intervals, summed over all rises
  std::uint64_t fallen = 0;  ///< threads by which it fell, summed over all falls
  std::uint64_t jumps = 0;   ///< changes higher than a band, including the change to its first interval
  bool is_long = false;      ///< it is one interval that was long enough for a phase when it ended

  ProfileItem() = default;
  /// Consists of one interval, which ends at `interval_end`.
  ProfileItem(const OpenInterval& interval, SimTime interval_end);

  Duration duration() const { return end - begin; }
  /// Appends `next`, which begins where this ends.
  void append(const ProfileItem& next);
  /// Appends an interval that begins where this ends, and ends at `interval_end`. Inline, because each change calls it.
  void append(const OpenInterval& interval, SimTime interval_end) {
    if (interval.resident > last) {
      risen += interval.resident - last;
    } else {
      fallen += last - interval.resident;
    }
    last = interval.resident;
    end = interval_end;
    resident_time += interval.resident_time(interval_end);
    running_time += interval.running_time;
    cores_busy = std::max(cores_busy, interval.cores_busy);
    min_resident = std::min(min_resident, interval.resident);
    max_resident = std::max(max_resident, interval.resident);
    ++intervals;
    jumps += interval.is_jump ? 1 : 0;
  }
};

}  // namespace gdsim
