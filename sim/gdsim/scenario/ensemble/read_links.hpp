#pragma once

#include <gdsim/scenario/ensemble/own_device.hpp>
#include <gdsim/scenario/scenario.hpp>
#include <gdsim/yaml/yaml_values.hpp>

#include <vector>

namespace gdsim {

/// Reads `links:` between these devices. Reports links that cannot be read.
std::vector<DeviceLink> read_links(const YamlNode& node, const OwnDevice& devices, const ValueReader& values);

/// Reports the scenario's copies and collectives between devices without a link; `place` is the place of the report.
void check_links(const Scenario& scenario, const YamlNode& place, const ValueReader& values);

}  // namespace gdsim
