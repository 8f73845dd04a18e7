#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/clock_schedule.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/device/dispatch_rules.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

/// Returns the problems with dispatch rules. `placements` are the names of the known placements.
Issues check_dispatch(const DispatchRules& rules, std::span<const std::string_view> placements);

/// Returns why the timing and the order of `rules` are invalid on `device`. Paths begin with `dispatch`.
Issues check_timing(const DeviceSpec& device, const DispatchRules& rules);

/// Returns all rules of a run that the device cannot obey. A scenario may still override the device's own ones.
Issues check_rules_in_force(const DeviceSpec& device, const DispatchRules& rules);

/// Returns why a time of a device cannot be used on it, or nullopt if it can.
std::optional<std::string> time_fault(const DeviceSpec& device, const StepTime& time);

/// Returns true if `cores` lists every core from 0 to `count` - 1 exactly once.
bool names_every_core(std::vector<CoreId> cores, std::uint32_t count);

}  // namespace gdsim
