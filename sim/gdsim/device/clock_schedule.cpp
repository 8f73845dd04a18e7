#include <gdsim/device/clock_schedule.hpp>

#include <gdsim/base/decimal.hpp>

#include <algorithm>
#include <limits>

namespace gdsim {

ClockSchedule::ClockSchedule(const DeviceSpec& device, const std::vector<ClockChange>& changes)
    : clocks_{device.clock.value_or(Hertz{})} {
  for (const ClockChange& change : changes) {
    if (change.clock == clocks_.back()) continue;
    clocks_.push_back(change.clock);
    begins_.push_back(change.at);
  }
}

std::size_t ClockSchedule::number_at(SimTime at) const {
  return static_cast<std::size_t>(std::upper_bound(begins_.begin(), begins_.end(), at) - begins_.begin());
}

std::size_t ClockSchedule::number_before(SimTime end) const {
  return static_cast<std::size_t>(std::lower_bound(begins_.begin(), begins_.end(), end) - begins_.begin());
}

Duration ClockSchedule::rescaled(Duration remainder, Duration before, Duration after) {
  const Int128 all = (Int128{remainder.count} * after.count + before.count - 1) / before.count;
  if (all > std::numeric_limits<std::int64_t>::max()) detail::raise_time_overflow();
  return Duration{static_cast<std::int64_t>(all)};
}

DeviceSpec under_clock(const DeviceSpec& device, Hertz clock) {
  DeviceSpec changed = device;
  changed.clock = clock;
  changed.clock_changes.clear();
  changed.power.reset();
  return changed;
}

DeviceSpec seen_until(const DeviceSpec& device, SimTime end) {
  DeviceSpec seen = device;
  if (ClockSchedule(device).number_before(end) == 0) seen.clock_changes.clear();
  return seen;
}

bool clock_may_change(const DeviceSpec& device) { return !device.clock_changes.empty() || device.power; }

namespace {

/// Returns the clocks after the first, each with the earliest time at which it may be in force.
std::vector<ClockChange> later_clocks(const DeviceSpec& device) {
  std::vector<ClockChange> later = device.clock_changes;
  if (!device.power) return later;
  for (const PowerRule::Level& level : device.power->levels)
    later.push_back({SimTime{} + device.power->period, level.clock});
  return later;
}

}  // namespace

std::pair<Hertz, Hertz> clock_range(const DeviceSpec& device) {
  std::pair<Hertz, Hertz> range{*device.clock, *device.clock};
  for (const ClockChange& change : later_clocks(device)) {
    range.first = std::min(range.first, change.clock);
    range.second = std::max(range.second, change.clock);
  }
  return range;
}

std::vector<ClockChange> extreme_clocks(const DeviceSpec& device) {
  std::vector<ClockChange> extremes;
  const std::vector<ClockChange> later = later_clocks(device);
  const auto is_slower = [](const ClockChange& a, const ClockChange& b) { return a.clock < b.clock; };
  const auto [lowest, highest] = std::minmax_element(later.begin(), later.end(), is_slower);
  if (lowest == later.end()) return extremes;
  if (lowest->clock < device.clock) extremes.push_back(*lowest);
  if (highest->clock > device.clock) extremes.push_back(*highest);
  return extremes;
}

}  // namespace gdsim
