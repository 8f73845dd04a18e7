#pragma once

#include "oracle/world.hpp"

// The slack of a launch: the delay of its end that does not delay the end of the run, by dependencies only. Its waits
// on the device count as its own time.

namespace gdsim::oracle {

/// Marks the launches without slack, in a run that completed at `end`.
void mark_critical(World& world, Time end);

}  // namespace gdsim::oracle
