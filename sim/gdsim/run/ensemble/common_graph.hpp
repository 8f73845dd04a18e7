#pragma once

#include <gdsim/run/ensemble/launch_owners.hpp>
#include <gdsim/workload/launch_graph.hpp>

#include <cstddef>
#include <span>

namespace gdsim {

/// The graph of one of the devices, in which launches of the others wait for all that their own devices know of: the
/// cooperative ones before them, and the begins of those before them in a hardware queue. No launch waits for a
/// trigger.
LaunchGraph common_graph(std::span<const CompiledParts* const> devices, std::size_t device, const LaunchOwners& owners);

}  // namespace gdsim
