#pragma once

#include "oracle/world.hpp"

// A process that does not have the device stands still: with every picosecond, all its events on the device move a
// picosecond later. Events of the host and the copy engines are not delayed.

namespace gdsim::oracle {

/// Advances time from `world.now` to `until` while the process does not have the device.
void put_off(World& world, Time until);

}  // namespace gdsim::oracle
