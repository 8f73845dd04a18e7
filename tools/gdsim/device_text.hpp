#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/scenario/yaml_node.hpp>

#include <string>
#include <vector>

namespace gdsim::cli {

/// Devices by vendor, products before families, in columns.
std::string device_list(std::vector<DeviceSpec> devices);

/// One device: every key of its merged file with its source below.
std::string device_text(const DeviceSpec& device, const YamlNode& tree);

}  // namespace gdsim::cli
