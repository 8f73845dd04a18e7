#pragma once

#include <gdsim/run/ensemble/launch_owners.hpp>
#include <gdsim/run/simulate.hpp>

#include <span>
#include <vector>

namespace gdsim {

/// Fills the slack of every launch, and the critical path, of devices that ran together, by the last end of all. Only
/// where all completed, no launch waits for a trigger, and a launch takes as long to reach each of the devices and
/// waits as long behind its predecessors: else there are none.
void find_common_critical_path(std::span<const CompiledParts* const> devices, const LaunchOwners& owners,
                               std::vector<RunResult>& results);

}  // namespace gdsim
