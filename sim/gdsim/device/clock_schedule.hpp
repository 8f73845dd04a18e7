#pragma once

#include <gdsim/device/device_spec.hpp>

#include <cstddef>
#include <utility>
#include <vector>

// Rule, to the picosecond: clocks that change.
//
// `clock: {at: ...}` gives the instant from which on a clock is in force. A duration that begins at an instant has the
// length that it has under the clock in force then, rounded as under a clock that never changes. If that clock gives
// way to another one before the end, the remainder is multiplied by the length of the whole under the new clock over
// that under the old one, and rounded up to a picosecond: cycles that remain are rescaled, times remain what they are,
// and if a length has both, the remainder is rescaled as a whole. This holds for compute steps, the costs of barriers,
// grid barriers and tiles, latencies of SLM, memory and fences, intervals, recoveries, and each part of a launch cost.
//
// At the instant of a change, finished work on shared resources is removed first. Then the unfinished work on issue
// slots, banks and addresses is settled, in 2^-20 of a picosecond, and its remainder is multiplied by the same factor,
// rounded up. Work that moves bytes is settled, and its rates follow the new latencies. Then the instant goes on under
// the new clock. A clock that equals the one before it is no change.

namespace gdsim {

/// The clocks of a device, and when each is in force. Clocks are numbered from 0 in order of time.
class ClockSchedule {
 public:
  /// One clock, which never changes.
  ClockSchedule() : clocks_(1) {}
  /// The device must have passed check_device(). A device without a clock gets one of 0 Hz.
  explicit ClockSchedule(const DeviceSpec& device) : ClockSchedule(device, device.clock_changes) {}
  /// As above, with these changes instead of the device's own.
  ClockSchedule(const DeviceSpec& device, const std::vector<ClockChange>& changes);

  bool changes() const { return !begins_.empty(); }
  /// Returns the number of clocks, at least one.
  std::size_t count() const { return clocks_.size(); }
  Hertz clock(std::size_t number) const { return clocks_[number]; }
  /// Returns the time when clock `number`, which is not the first, comes into force.
  SimTime begin_of(std::size_t number) const { return begins_[number - 1]; }
  /// Returns the number of the clock in force at an instant.
  std::size_t number_at(SimTime at) const;
  /// Returns the number of the last clock in force before `end`, which equals the number of clock changes before `end`.
  std::size_t number_before(SimTime end) const;

  /// Returns the end of something that begins at `begin`, if nothing but the clock affects it. `length_under(number)`
  /// is its Duration under clock `number`. Throws TimeOverflowError.
  template <class LengthUnder>
  SimTime end(SimTime begin, LengthUnder length_under) const {
    std::size_t number = changes() ? number_at(begin) : 0;
    Duration length = length_under(number);
    SimTime end = begin + length;
    for (; number < begins_.size() && begins_[number] < end; ++number) {
      const Duration next = length_under(number + 1);
      end = begins_[number] + rescaled(end - begins_[number], length, next);
      length = next;
    }
    return end;
  }

  /// Returns the remainder of a length after a change of the clock, rounded up. The whole length is `before` under the
  /// old clock and `after` under the new one; `before` must be more than 0. Throws TimeOverflowError.
  static Duration rescaled(Duration remainder, Duration before, Duration after);

 private:
  std::vector<Hertz> clocks_;
  std::vector<SimTime> begins_;  ///< of each clock but the first
};

/// Returns the device with this clock at all times.
DeviceSpec under_clock(const DeviceSpec& device, Hertz clock);

/// Returns the device for a run that ends at `end`: without its clock changes if none of them comes before `end`.
DeviceSpec seen_until(const DeviceSpec& device, SimTime end);

/// Returns true if the clock may change during a run: at given times, or because `power` changes it.
bool clock_may_change(const DeviceSpec& device);

/// Returns the device's lowest and highest clock, including those that `power` may choose. The device must have a
/// clock.
std::pair<Hertz, Hertz> clock_range(const DeviceSpec& device);

/// Returns the device's lowest clock if it is below the first, and its highest if it is above, each with its beginning.
/// Clocks that `power` may choose begin with its second period.
std::vector<ClockChange> extreme_clocks(const DeviceSpec& device);

}  // namespace gdsim
