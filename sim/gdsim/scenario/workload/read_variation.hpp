#pragma once

#include <gdsim/scenario/expressions/group_values.hpp>
#include <gdsim/workload/kernel.hpp>
#include <gdsim/yaml/yaml_values.hpp>

namespace gdsim {

/// Reads a kernel's `variation:`. `group_values`: of an expression in `work_groups`, or null.
Variation read_variation(const YamlNode& node, const GroupValues* group_values, const ValueReader& values);

}  // namespace gdsim
