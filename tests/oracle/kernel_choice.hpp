#pragma once

#include "oracle/world.hpp"

#include <optional>
#include <set>

// Which launch places the next work-group, and on which cores it may.

namespace gdsim::oracle {

/// Some of its threads are still to be placed.
bool has_threads_left(const World& world, std::size_t launch);
/// The launch that goes next. Those of `blocked` found no core in this turn. Nothing: the turn is over.
std::optional<std::size_t> next_launch(const World& world, const std::set<std::size_t>& blocked);
/// The cores of the launch: its own, else its queue's, else all.
std::vector<std::size_t> cores_of(const World& world, std::size_t launch);
/// Others do not keep the launch off this core: `core_sharing`, `slm_reconfiguration`.
bool may_use(const World& world, std::size_t launch, const Core& core, const Need& need);

}  // namespace gdsim::oracle
