#pragma once

#include <gdsim/scenario/devices/own_device.hpp>
#include <gdsim/scenario/read_scenario.hpp>
#include <gdsim/yaml/yaml_values.hpp>

#include <vector>

namespace gdsim {

/// Reads `links:` between these devices. What cannot be read is reported.
std::vector<DeviceLink> read_links(const YamlNode& node, const OwnDevice& devices, const ValueReader& values);

/// Reports copies and collectives of the scenario that go where no link is; `place` is what the report points at.
void check_links(const Scenario& scenario, const YamlNode& place, const ValueReader& values);

}  // namespace gdsim
