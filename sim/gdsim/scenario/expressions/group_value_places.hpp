#pragma once

#include <gdsim/workload/kernel.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <functional>
#include <optional>
#include <vector>

namespace gdsim {

/// Appends the node to `found` and gives it its number there, see YamlNode::group_value.
void mark_group_value(YamlNode& node, std::vector<YamlNode*>& found);

/// Marks the values below `program` that may differ by work-group (counts of loops and amounts of steps) and for which
/// `uses_group` holds.
void mark_group_values(YamlNode& program, const std::function<bool(const YamlNode&)>& uses_group,
                       std::vector<YamlNode*>& found);

/// The expressions in the body of a step `tiles` that may differ by tile.
struct MarkedTiles {
  const YamlNode* count = nullptr;  ///< number of tiles; null: not written
  std::vector<YamlNode*> nodes;
};

/// Marks the expressions in bodies of `program`'s `tiles` steps for which `uses_tile` holds. Their numbers are those of
/// YamlNode::tile_value; a body gets the number of its entry in the result, from 1. A body without any is left out.
std::vector<MarkedTiles> mark_tile_values(YamlNode& program, const std::function<bool(const YamlNode&)>& uses_tile);

/// Returns the sizes of a node such as `64` or `[64, 64, 128]`, or nullopt if they cannot be read.
std::optional<std::vector<std::uint64_t>> written_sizes(const YamlNode& node);

/// Returns the work-items of a work-group as `local` is written, or nullopt if it cannot be read.
std::optional<std::uint64_t> written_work_items(const YamlNode& local);

/// Returns the range of a kernel of a file, expressions evaluated, or nullopt if it cannot be read or has more than
/// 2^64 work-items; the reader of the kernel reports that.
std::optional<NdRange> written_range(const YamlNode& kernel);

}  // namespace gdsim
