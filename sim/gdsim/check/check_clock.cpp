#include <gdsim/check/check_clock.hpp>

#include <gdsim/device/device_limits.hpp>

namespace gdsim {
namespace {

void check_frequency(Hertz clock, Issues& found) {
  if (clock.count < 1) found.push_back({"clock", "must be at least 1 Hz"});
  if (clock > device_limits::kClock) found.push_back({"clock", "is more than 1000 GHz"});
}

}  // namespace

Issues check_clock(const DeviceSpec& device) {
  Issues found;
  if (device.clock) check_frequency(*device.clock, found);
  if (!device.clock && !device.clock_changes.empty())
    found.push_back({"clock", "changes later, but there is none at first"});
  if (device.clock_changes.size() > device_limits::kClockChanges)
    found.push_back({"clock", "changes " + std::to_string(device.clock_changes.size()) + " times; at most " +
                                  std::to_string(device_limits::kClockChanges) + " changes are allowed"});
  SimTime last;
  for (const ClockChange& change : device.clock_changes) {
    check_frequency(change.clock, found);
    if (change.at <= last)
      found.push_back({"clock", "changes at " + to_text(change.at) + ", which does not lie behind " + to_text(last) +
                                    "; the times must ascend"});
    last = change.at;
  }
  return found;
}

std::string clock_words(const ClockChange& change) {
  return ", from " + to_text(change.at) + " on, when the clock is " + to_text(change.clock);
}

}  // namespace gdsim
