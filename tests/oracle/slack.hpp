#pragma once

#include "oracle/world.hpp"

// How much later a launch could have ended without making the run longer, as far as launches wait for each other: what
// it waited for on the device counts as its own time.

namespace gdsim::oracle {

/// The launch has no slack, in a run that completed at `end`.
bool is_critical(const World& world, std::size_t launch, Time end);

}  // namespace gdsim::oracle
