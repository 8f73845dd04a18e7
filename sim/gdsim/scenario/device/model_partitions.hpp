#pragma once

#include <gdsim/scenario/device/model_index.hpp>
#include <gdsim/yaml/yaml_node.hpp>
#include <gdsim/yaml/yaml_values.hpp>

#include <string>

namespace gdsim {

/// Returns the problem of a model whose launches are split by stack if `over` sets `cores` but not the number of
/// stacks; else an empty text. On a device of two stacks of 64 cores, 64 cores would be two stacks of 32, although one
/// stack was meant.
std::string cut_groups_problem(const YamlNode& base, const YamlNode& over, const ModelIndex& models);

// Where `over` sets fewer cores than the base has, and no `core_groups`, the first cores stay in the base's groups:
// 1. Groups behind the last core go; the group that contains it keeps its first cores. 6 cores of 8 slices of 4 are a
//    slice of 4 and one of 2.
// 2. Groups within the only group that is left are cut in the same way.
// 3. A group that is cut, has groups within, and is not alone is refused: groups of one level are divided alike.
// 4. A device that deals its work-groups out to its groups in turn (`dispatch.partition`) keeps all of them, each with
//    fewer cores, unless there are more groups than cores.

/// Cuts the `core_groups` of `base` to the cores that `over` leaves. Returns the problem of rule 3, else an empty text.
std::string keep_first_groups(YamlNode& base, const YamlNode& over);

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
