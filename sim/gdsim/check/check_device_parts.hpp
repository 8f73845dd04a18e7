#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/device_spec.hpp>

#include <string>

namespace gdsim {

/// Returns the problems with the grouping of a device's cores. Paths are relative to the device.
Issues check_core_groups(const DeviceSpec& device);

/// Returns the problems with the clusters of a device whose core groups have no issue.
Issues check_cluster_rule(const DeviceSpec& device);

/// Appends the names of the device's levels to `known`, for a message: "device, core, stack".
std::string known_levels(const DeviceSpec& device, std::string known);

/// Returns why the clock of a device cannot follow its power. Paths begin with the device's field.
Issues check_power(const DeviceSpec& device);

}  // namespace gdsim
