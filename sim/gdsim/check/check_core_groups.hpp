#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/device_spec.hpp>

#include <string>

namespace gdsim {

/// Problems with the grouping of a device's cores. Paths are those within the device.
Issues check_core_groups(const DeviceSpec& device);

/// Problems with the clusters of a device whose core groups have no issue.
Issues check_cluster_rule(const DeviceSpec& device);

/// The words for levels of the device, appended to `known`, for a message: "device, core, stack".
std::string known_levels(const DeviceSpec& device, std::string known);

}  // namespace gdsim
