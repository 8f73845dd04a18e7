#pragma once

#include <gdsim/run/ensemble/launch_owners.hpp>
#include <gdsim/workload/launch_graph.hpp>

#include <cstddef>
#include <span>

namespace gdsim {

/// Returns the graph of one device with additional waits of other devices' launches: for earlier cooperative ones, and
/// for begins of earlier ones in a hardware queue, which only their device knows. No launch may wait for a trigger.
LaunchGraph common_graph(std::span<const CompiledParts* const> devices, std::size_t device, const LaunchOwners& owners);

}  // namespace gdsim
