#pragma once

#include <gdsim/run/ensemble/launch_owners.hpp>
#include <gdsim/workload/launch_graph.hpp>

#include <cstddef>
#include <span>

namespace gdsim {

/// The graph of one device, in which launches of other devices also wait for what only their own device knows: earlier
/// cooperative launches, and the begins of earlier launches in a hardware queue. No launch waits for a trigger.
LaunchGraph common_graph(std::span<const CompiledParts* const> devices, std::size_t device, const LaunchOwners& owners);

}  // namespace gdsim
