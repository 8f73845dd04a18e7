#pragma once

#include <gdsim/run/ensemble/launch_owners.hpp>
#include <gdsim/run/simulate.hpp>

#include <cstdint>
#include <vector>

namespace gdsim {

/// Returns how the run ended. Some devices must not have completed; all of these must have ended for one reason.
Outcome common_outcome(const std::vector<RunResult>& devices);

/// Returns one record of devices that ran together: from the first begin to the last end, with sums of contexts,
/// threads and work-groups, and each launch of the host as recorded on its own device. `peak_resident` is the maximum
/// of threads on all devices at once. Data of one device, such as phases, stay empty.
RunRecord common_record(const std::vector<RunResult>& devices, const LaunchOwners& owners, std::uint64_t peak_resident);

}  // namespace gdsim
