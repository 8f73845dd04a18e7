#pragma once

#include <gdsim/scenario/expressions/group_values.hpp>
#include <gdsim/workload/kernel.hpp>
#include <gdsim/yaml/yaml_values.hpp>

namespace gdsim {

/// A kernel's `variation:` as it stands in a file.
struct ReadVariation {
  Variation variation;
  bool is_lock_step = false;  ///< `none`: nothing is to be drawn, not even by default
};

/// Reads a kernel's `variation:`. `group_values`: of an expression in `work_groups`, if there is one.
ReadVariation read_variation(const YamlNode& node, const GroupValues* group_values, const ValueReader& values);

}  // namespace gdsim
