#pragma once

#include "oracle/world.hpp"

#include <optional>
#include <set>

// The choice of the launch that places the next work-group, and of the cores where it may place it.

namespace gdsim::oracle {

/// Returns true if some of the launch's threads are still to be placed.
bool has_threads_left(const World& world, std::size_t launch);
/// Returns the launch that goes next. Launches in `blocked` found no core in this pass. nullopt: the pass is over.
std::optional<std::size_t> next_launch(const World& world, const std::set<std::size_t>& blocked);
/// Returns the cores of the launch: its own, else its queue's, else all.
std::vector<std::size_t> cores_of(const World& world, std::size_t launch);
/// Returns true if other launches allow the launch on this core: `core_sharing`, `slm_reconfiguration`.
bool may_use(const World& world, std::size_t launch, const Core& core, const Need& need);
/// Returns the number of such work-groups for which the pool of the core's SLM has room.
std::uint64_t room_in_pool(const World& world, const Core& core, const Need& need);

}  // namespace gdsim::oracle
