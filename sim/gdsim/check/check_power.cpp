#include <gdsim/check/check_power.hpp>

#include <gdsim/device/device_limits.hpp>

#include <algorithm>
#include <string>

namespace gdsim {
namespace {

constexpr const char* kLevels = "power.per_busy_context";

void check_amount(const char* path, Power amount, Power least, Power most, Issues& found) {
  if (amount < least || amount > most)
    found.push_back({path, "is " + to_text(amount) + "; " + to_text(least) + " to " + to_text(most) + " are allowed"});
}

void check_levels(const DeviceSpec& device, Issues& found) {
  const auto& levels = device.power->levels;
  if (levels.empty()) found.push_back({kLevels, "names no clock; at least one is needed, as in `1.5 GHz: 40 mW`"});
  if (levels.size() > device_limits::kPowerLevels)
    found.push_back({kLevels, "names " + std::to_string(levels.size()) + " clocks; at most " +
                                  std::to_string(device_limits::kPowerLevels) + " are allowed"});
  for (const PowerRule::Level& level : levels) {
    if (level.clock.count < 1) found.push_back({kLevels, "has a clock of less than 1 Hz"});
    if (level.clock > device_limits::kClock) found.push_back({kLevels, "has a clock of more than 1000 GHz"});
    check_amount(kLevels, level.per_busy_context, Power{0}, device_limits::kContextPower, found);
  }
  const auto is_no_rise = [](const PowerRule::Level& a, const PowerRule::Level& b) { return a.clock >= b.clock; };
  if (std::adjacent_find(levels.begin(), levels.end(), is_no_rise) != levels.end())
    found.push_back({kLevels, "has clocks that do not rise"});
}

/// Checks the clock with which a run begins.
void check_first_clock(const DeviceSpec& device, Issues& found) {
  const auto& levels = device.power->levels;
  if (!device.clock) {
    found.push_back({"power", "changes the clock, but the device has none; give it one, as in `clock: 1.5 GHz`"});
  } else if (!device.clock_changes.empty()) {
    found.push_back(
        {"power", "changes the clock, which `clock: {at: ...}` does, too; leave one of them out, as by `power: none`"});
  } else if (std::none_of(levels.begin(), levels.end(),
                          [&](const PowerRule::Level& level) { return level.clock == *device.clock; })) {
    std::string known;
    for (const PowerRule::Level& level : levels) known += (known.empty() ? "" : ", ") + to_text(level.clock);
    found.push_back({kLevels, "does not say what a context takes under the device's clock, " + to_text(*device.clock) +
                                  "; it has " + known + ". `power: none` keeps the clock as it is"});
  }
}

}  // namespace

Issues check_power(const DeviceSpec& device) {
  Issues found;
  if (!device.power) return found;
  check_amount("power.limit", device.power->limit, Power{1}, device_limits::kPower, found);
  check_amount("power.idle", device.power->idle, Power{0}, device_limits::kPower, found);
  if (device.power->period <= Duration{} || device.power->period > device_limits::kHostLatency)
    found.push_back({"power.period", "is " + to_text(device.power->period) + "; 1 ps to " +
                                         to_text(device_limits::kHostLatency) + " are allowed"});
  check_levels(device, found);
  if (found.empty()) check_first_clock(device, found);
  return found;
}

}  // namespace gdsim
