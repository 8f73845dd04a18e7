#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/clock_schedule.hpp>

#include <string>

namespace gdsim {

/// Returns why the clocks of a device are not a valid ClockSchedule. Paths begin with the device's field.
Issues check_clock(const DeviceSpec& device);

/// `, from 5 ms on, when the clock is 1.41 GHz`: appended to an issue that only a later clock has.
std::string clock_words(const ClockChange& change);

/// Returns the issues of `check(device)`; if there are none, those under its lowest clock, then those under its
/// highest. Under all other clocks, lengths in cycles lie in between.
template <class Check>
Issues check_under_clocks(const DeviceSpec& device, Check check) {
  Issues found = check(device);
  for (const ClockChange& change : extreme_clocks(device)) {
    if (!found.empty()) break;
    found = check(under_clock(device, change.clock));
    for (Issue& issue : found) issue.message += clock_words(change);
  }
  return found;
}

}  // namespace gdsim
