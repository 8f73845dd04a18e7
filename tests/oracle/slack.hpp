#pragma once

#include "oracle/world.hpp"

// How much later a launch could have ended without making the run longer, by dependencies only: its waits on the device
// count as its own time.

namespace gdsim::oracle {

/// Marks the launches without slack, in a run that completed at `end`.
void mark_critical(World& world, Time end);

}  // namespace gdsim::oracle
