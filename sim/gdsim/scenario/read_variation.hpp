#pragma once

#include <gdsim/scenario/yaml_values.hpp>
#include <gdsim/workload/kernel.hpp>

namespace gdsim {

/// Reads a kernel's `variation:`.
void read_variation(const YamlNode& node, Variation& variation, const ValueReader& values);

}  // namespace gdsim
