#pragma once

#include <gdsim/import/profiles/scenario/profile_plan.hpp>

#include <vector>

namespace gdsim {

/// Starts as a profile has them hold what the host and the driver took: submit_overhead, launch_latency and
/// dependency_gap become 0 on the device, where they are not.
void drop_host_times(const Profile& profile, DeviceSpec& device, std::vector<DeviceOverride>& overrides);

/// The device's copy engines get the highest bandwidth at which a large copy of the profile was made, so that none
/// lasts longer than it did, and are as many as the profile has copies at once. Where neither is known the model's
/// stay; where it has none, a bandwidth is assumed. Nothing is changed if there is no copy.
void fit_copies(const Profile& profile, DeviceSpec& device, std::vector<DeviceOverride>& overrides);

/// What a launch costs on the device, both parts; 0 if nothing, or if it is not in force.
Duration launch_cost_of(const DeviceSpec& device);

/// Makes a launch on the device cost no more than `most`, both parts in proportion.
void lower_launch_cost(DeviceSpec& device, Duration most, const std::string& why,
                       std::vector<DeviceOverride>& overrides);

}  // namespace gdsim
