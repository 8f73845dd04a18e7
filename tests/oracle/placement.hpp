#pragma once

#include "oracle/world.hpp"

#include <cstddef>
#include <vector>

// The choice of the candidate core that takes the next work-group, or more threads of one that is spread.

namespace gdsim::oracle {

/// Chooses one of `candidates`, which must be ascending and not empty. Moves the cursors of the round robins.
std::size_t choose_core(const World& world, DispatcherState& dispatcher, const std::vector<std::size_t>& candidates,
                        std::size_t launch);

}  // namespace gdsim::oracle
