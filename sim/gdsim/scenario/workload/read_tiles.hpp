#pragma once

#include <gdsim/scenario/expressions/group_values.hpp>
#include <gdsim/scenario/workload/access_sizes.hpp>
#include <gdsim/workload/program.hpp>
#include <gdsim/yaml/yaml_values.hpp>

#include <optional>
#include <vector>

namespace gdsim {

/// Reads the step `tiles`. `tile_values`: of bodies that differ by tile, see YamlNode::tile_value; null if none does. A
/// body is read for each set of values. If one cannot be read, reports all problems of the first such, with a tile that
/// has it, and returns nullopt.
std::optional<Step> read_tiles(const YamlNode& node, const AccessSizes& sizes,
                               const std::vector<GroupValues>* tile_values, const ValueReader& values);

}  // namespace gdsim
