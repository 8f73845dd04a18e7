#pragma once

#include <gdsim/yaml/yaml_node.hpp>
#include <gdsim/yaml/yaml_values.hpp>

namespace gdsim {

// A model's `partitions:` lists parts of the device that can be used as devices: MIG instances, compute partitions.
// Each has values that take the place of the whole device's (`cores`, `core_groups`, `copy`, `dispatch`), and
// `memory_share`: the share that it has of the bandwidth and the capacity of the memory levels that all cores share.
// `partition: NAME` beside `base:` chooses one.

/// Lays the partition of `model` that `name` chooses on it; its bases are merged in. The problem is added if it has
/// none of that name.
void apply_partition(YamlNode& model, const YamlNode& name, const ValueReader& values);

/// Adds what is wrong with the partitions of a model, chosen or not.
void check_partitions(const YamlNode& partitions, const ValueReader& values);

}  // namespace gdsim
