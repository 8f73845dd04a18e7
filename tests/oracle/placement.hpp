#pragma once

#include "oracle/world.hpp"

#include <cstddef>
#include <vector>

// Which candidate core takes the next work-group, or more threads of one that is spread.

namespace gdsim::oracle {

/// One of `candidates`, which are not empty and ascend. The cursors of the round robins move.
std::size_t choose_core(const World& world, DispatcherState& dispatcher, const std::vector<std::size_t>& candidates,
                        std::size_t launch);

}  // namespace gdsim::oracle
