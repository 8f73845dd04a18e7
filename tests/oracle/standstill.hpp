#pragma once

#include "oracle/world.hpp"

// A process that does not have the device stands still: with every picosecond, all that was to happen on the device
// lies a picosecond later. What the host and the copy engines do is not put off.

namespace gdsim::oracle {

/// Time passes from `world.now` to `until`, and the process does not have the device.
void put_off(World& world, Time until);

}  // namespace gdsim::oracle
