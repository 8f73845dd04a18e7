#pragma once

#include <gdsim/scenario/read_scenario.hpp>
#include <gdsim/yaml/yaml_values.hpp>

#include <vector>

namespace gdsim {

/// Reports what devices that run together must have in common, and what none of them may have. `node` is `devices:`.
void check_devices(const std::vector<Scenario>& devices, const YamlNode& node, const ValueReader& values);

/// Reports expectations that are about one device.
void check_expectations_of_devices(const std::vector<Expectation>& expectations, Diagnostics& problems);

}  // namespace gdsim
