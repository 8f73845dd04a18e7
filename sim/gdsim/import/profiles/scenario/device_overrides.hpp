#pragma once

#include <gdsim/import/profiles/scenario/profile_plan.hpp>

#include <vector>

namespace gdsim {

/// Measured starts include the time of host and driver. Sets submit_overhead, launch_latency and dependency_gap of the
/// device to 0 if they are not.
void drop_host_times(const Profile& profile, DeviceSpec& device, std::vector<DeviceOverride>& overrides);

/// Gives the device's copy engines the highest bandwidth of a large copy in the profile, so that no copy takes longer
/// than measured, and sets their number to the profile's simultaneous copies. If neither is known, the model's values
/// stay; a missing bandwidth is assumed. Does nothing if there is no copy.
void fit_copies(const Profile& profile, DeviceSpec& device, std::vector<DeviceOverride>& overrides);

/// The cost of a launch on the device, both parts; 0 if there is none, or if it is not in force.
Duration launch_cost_of(const DeviceSpec& device);

/// The time between the release of a core's resources and their reuse; 0 if there is none.
Duration recovery_of(const DeviceSpec& device);

/// Returns true if all groups of cores of each level have equally many cores.
bool has_equal_groups(const DeviceSpec& device);

/// Limits the cost of a launch on the device to `most`, scaling both parts in proportion.
void lower_launch_cost(DeviceSpec& device, Duration most, const std::string& why,
                       std::vector<DeviceOverride>& overrides);

}  // namespace gdsim
