#pragma once

#include <gdsim/yaml/yaml_node.hpp>
#include <gdsim/yaml/yaml_values.hpp>

namespace gdsim {

// A model's `partitions:` lists parts of the device that can be used as devices: MIG instances, compute partitions.
// Each has values that replace the whole device's (`cores`, `core_groups`, `copy`, `dispatch`), and `memory_share`: its
// share of the bandwidth and capacity of the memory levels that all cores share. `partition: NAME` beside `base:`
// chooses one.

/// Applies the partition called `name` to `model`, whose bases are merged in. Adds a problem if the model has no
/// partition of that name.
void apply_partition(YamlNode& model, const YamlNode& name, const ValueReader& values);

/// Adds all problems of a model's partitions, chosen or not.
void check_partitions(const YamlNode& partitions, const ValueReader& values);

}  // namespace gdsim
