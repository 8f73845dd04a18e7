#pragma once

#include "oracle/world.hpp"

#include <optional>

// Clocks that change. They are numbered by time; a clock that equals the one before it is not counted.
//
// A length is known under each clock. A duration that begins at an instant has the length under the clock of that
// instant. When the clock changes before it is over, the remaining length is multiplied by the length under the new
// clock, divided by that under the old one, and rounded up. The same holds for remaining work on slots, banks and
// addresses, in 2^-20 of a picosecond, after finished work of this instant was removed; remaining bytes stay, and their
// rates follow.

namespace gdsim::oracle {

void prepare_clocks(World& world);
/// The device under the clock at this instant.
const DeviceSpec& device_at(const World& world, Time time);
/// A length under each clock: `length_on(device)`.
template <class LengthOn>
Lengths lengths(const World& world, LengthOn length_on) {
  Lengths all;
  for (const DeviceSpec& device : world.device_by_clock) all.push_back(length_on(device));
  return all;
}
/// Returns the end of a duration that begins at `begin`.
Time end_of(const World& world, Time begin, const Lengths& lengths);
/// Rescales the remaining amounts of shares if the clock changes now. That does not count as an event on the device.
void follow_clock(World& world);
/// The next time at which the clock changes.
std::optional<Time> next_clock_change(const World& world);

}  // namespace gdsim::oracle
