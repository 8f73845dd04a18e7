#pragma once

#include <gdsim/scenario/scenario.hpp>
#include <gdsim/yaml/yaml_values.hpp>

#include <vector>

namespace gdsim {

/// Reports differences and features that are not allowed for devices that run together. `node` is `devices:`.
void check_devices(const std::vector<Scenario>& devices, const YamlNode& node, const ValueReader& values);

/// Reports expectations that concern one device.
void check_expectations_of_devices(const std::vector<Expectation>& expectations, Diagnostics& problems);

}  // namespace gdsim
