#pragma once

#include <gdsim/scenario/expressions/group_values.hpp>
#include <gdsim/yaml/yaml_node.hpp>
#include <gdsim/yaml/yaml_values.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>

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

}  // namespace gdsim
