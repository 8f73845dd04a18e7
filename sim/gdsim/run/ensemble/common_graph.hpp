#pragma once

#include <gdsim/run/ensemble/launch_owners.hpp>
#include <gdsim/workload/launch_graph.hpp>

#include <cstddef>
#include <span>

namespace gdsim {

/// Returns the graph of one device, in which launches of other devices also wait for launches that only their device
/// knows: earlier cooperative ones, and begins of earlier ones in a hardware queue. No launch waits for a trigger.
LaunchGraph common_graph(std::span<const CompiledParts* const> devices, std::size_t device, const LaunchOwners& owners);

}  // namespace gdsim
