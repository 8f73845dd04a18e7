#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/device_spec.hpp>

#include <string>

namespace gdsim {

/// What is wrong with how the cores of a device are grouped. Paths are those within the device.
Issues check_core_groups(const DeviceSpec& device);

/// What is wrong with the clusters of a device whose cores are grouped well.
Issues check_cluster_rule(const DeviceSpec& device);

/// The words for levels of the device, behind others, for a message: "device, core, stack".
std::string known_levels(const DeviceSpec& device, std::string known);

}  // namespace gdsim
