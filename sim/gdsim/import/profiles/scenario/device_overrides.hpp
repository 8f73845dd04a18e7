#pragma once

#include <gdsim/import/profiles/scenario/profile_plan.hpp>

#include <vector>

namespace gdsim {

/// Starts as a profile has them hold what the host and the driver took: submit_overhead, launch_latency and
/// dependency_gap become 0 on the device, where they are not.
void drop_host_times(DeviceSpec& device, std::vector<DeviceOverride>& overrides);

/// The device's copy engines get the highest bandwidth at which a copy of the profile was made, so that no copy lasts
/// longer than it did. Nothing if there is no copy with a duration.
void fit_copies(const Profile& profile, DeviceSpec& device, std::vector<DeviceOverride>& overrides);

/// What a launch costs on the device, both parts; 0 if nothing, or if it is not in force.
Duration launch_cost_of(const DeviceSpec& device);

/// Makes a launch on the device cost no more than `most`, both parts in proportion.
void lower_launch_cost(DeviceSpec& device, Duration most, const std::string& why,
                       std::vector<DeviceOverride>& overrides);

}  // namespace gdsim
