#pragma once

#include <gdsim/workload/kernel.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <functional>
#include <optional>
#include <vector>

namespace gdsim {

/// Gives the node the next number of those in `found`, see YamlNode::group_value.
void mark_group_value(YamlNode& node, std::vector<YamlNode*>& found);

/// The same for values below `program` that may differ by work-group, counts of loops and amounts of steps, and that
/// `uses_group`.
void mark_group_values(YamlNode& program, const std::function<bool(const YamlNode&)>& uses_group,
                       std::vector<YamlNode*>& found);

/// The range of a kernel of a file, expressions evaluated. Nothing if it cannot be read, or has more than 2^64
/// work-items: that is reported by who reads it.
std::optional<NdRange> written_range(const YamlNode& kernel);

}  // namespace gdsim
