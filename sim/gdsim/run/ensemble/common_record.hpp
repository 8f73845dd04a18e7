#pragma once

#include <gdsim/run/ensemble/launch_owners.hpp>
#include <gdsim/run/simulate.hpp>

#include <cstdint>
#include <vector>

namespace gdsim {

/// One record of devices that ran together. It reaches from the first begin to the last end, sums contexts, threads and
/// work-groups, and has each launch of the host as its own device recorded it. `peak_resident`: the most threads that
/// were resident on all devices at once. Fields that concern one device, such as phases, stay empty.
RunRecord common_record(const std::vector<RunResult>& devices, const LaunchOwners& owners, std::uint64_t peak_resident);

}  // namespace gdsim
