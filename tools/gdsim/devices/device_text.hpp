#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <map>
#include <string>
#include <vector>

namespace gdsim::cli {

/// Devices in columns, by vendor and generation: each family, and below it the products that `family_of` says are based
/// on it. Devices that it does not name stand alone.
std::string device_list(std::vector<DeviceSpec> devices, const std::map<std::string, std::string>& family_of = {});

/// One device: every key of its merged file, in a fixed order, with its source and those of the values within it below.
std::string device_text(const DeviceSpec& device, const YamlNode& tree);

}  // namespace gdsim::cli
