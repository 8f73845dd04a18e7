#pragma once

#include <gdsim/scenario/expressions/group_values.hpp>
#include <gdsim/scenario/workload/read_steps.hpp>
#include <gdsim/workload/program.hpp>
#include <gdsim/yaml/yaml_node.hpp>
#include <gdsim/yaml/yaml_values.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace gdsim {

/// Expressions below a node whose values differ by work-group, or by tile.
struct Variants {
  std::uint32_t YamlNode::*number;  ///< marks the expressions: YamlNode::group_value or YamlNode::tile_value
  const GroupValues& values;
  const char* what;  ///< `work-group` or `tile`, for messages
};

/// Calls `read(node, set, values)` with the node's contents for each set of values, until one cannot be read. Then adds
/// all its problems, with a work-group or tile that has it, and returns false.
bool read_variants(const YamlNode& node, const Variants& variants,
                   const std::function<void(const YamlNode&, std::size_t, const ValueReader&)>& read,
                   const ValueReader& values);

/// Reads the step `tiles`. `tile_values`: of bodies that differ by tile, see YamlNode::tile_value; null if none does. A
/// body is read for each set of values. If one cannot be read, reports all problems of the first such, with a tile that
/// has it, and returns nullopt.
std::optional<Step> read_tiles(const YamlNode& node, const AccessSizes& sizes,
                               const std::vector<GroupValues>* tile_values, const ValueReader& values);

}  // namespace gdsim
