#pragma once

#include <gdsim/scenario/ensemble/own_device.hpp>
#include <gdsim/scenario/scenario.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <functional>

namespace gdsim {

/// Reads one device's scenario: `root` has its `device`, and the launches of all devices.
using ReadOneDevice = std::function<Scenario(YamlNode& root, const OwnDevice& own, Diagnostics& problems)>;

/// Reads a scenario with `devices:`, device by device. A problem of several devices is reported once.
Scenario read_devices(const YamlNode& root, const ReadOneDevice& read_one, Diagnostics& problems);

}  // namespace gdsim
