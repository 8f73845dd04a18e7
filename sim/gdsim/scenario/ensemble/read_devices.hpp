#pragma once

#include <gdsim/scenario/ensemble/launch_device.hpp>
#include <gdsim/scenario/scenario.hpp>
#include <gdsim/yaml/yaml_node.hpp>
#include <gdsim/yaml/yaml_values.hpp>

#include <functional>
#include <vector>

namespace gdsim {

/// Reports differences and features that are not allowed for devices that run together. `node` is `devices:`.
void check_devices(const std::vector<Scenario>& devices, const YamlNode& node, const ValueReader& values);

/// Reports expectations that concern one device.
void check_expectations_of_devices(const std::vector<Expectation>& expectations, Diagnostics& problems);

/// Removes from `kernels:` of a scenario the kernels that only other devices run, since this device may be unable to
/// run them. A kernel that no launch names stays with the first device. If a launch names an unknown kernel, which is
/// reported later, all stay.
void keep_kernels_of_device(YamlNode& root, const OwnDevice& own);

/// Reads `links:` between these devices. Reports links that cannot be read.
std::vector<DeviceLink> read_links(const YamlNode& node, const OwnDevice& devices, const ValueReader& values);

/// Reports the scenario's copies and collectives between devices without a link; `place` is the place of the report.
void check_links(const Scenario& scenario, const YamlNode& place, const ValueReader& values);

/// Reads one device's scenario: `root` has its `device`, and the launches of all devices.
using ReadOneDevice = std::function<Scenario(YamlNode& root, const OwnDevice& own, Diagnostics& problems)>;

/// Reads a scenario with `devices:`, device by device. A problem of several devices is reported once.
Scenario read_devices(const YamlNode& root, const ReadOneDevice& read_one, Diagnostics& problems);

}  // namespace gdsim
