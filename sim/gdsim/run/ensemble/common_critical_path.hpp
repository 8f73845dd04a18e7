#pragma once

#include <gdsim/run/ensemble/launch_owners.hpp>
#include <gdsim/run/simulate.hpp>

#include <span>
#include <vector>

namespace gdsim {

/// Fills the slack of every launch and the critical path of devices that ran together, up to the last end on any
/// device. Does nothing unless all of them completed and no launch waits for a trigger.
void find_common_critical_path(std::span<const CompiledParts* const> devices, const LaunchOwners& owners,
                               std::span<const Collective> collectives, std::vector<RunResult>& results);

}  // namespace gdsim
