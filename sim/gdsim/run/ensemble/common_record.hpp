#pragma once

#include <gdsim/run/ensemble/launch_owners.hpp>
#include <gdsim/run/simulate.hpp>

#include <cstdint>
#include <vector>

namespace gdsim {

/// Where some devices did not complete, how the run ended: all of these ended for one reason.
Outcome common_outcome(const std::vector<RunResult>& devices);

/// One record of devices that ran together: from the first begin to the last end, sums of contexts, threads and
/// work-groups, and each launch of the host as its own device had it. `peak_resident`: threads on all of them at once.
/// What is of one device, such as phases, stays empty.
RunRecord common_record(const std::vector<RunResult>& devices, const LaunchOwners& owners, std::uint64_t peak_resident);

}  // namespace gdsim
