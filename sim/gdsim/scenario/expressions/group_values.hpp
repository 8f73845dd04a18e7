#pragma once

#include <gdsim/scenario/expressions/expression.hpp>
#include <gdsim/workload/kernel.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
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

/// The values of some expressions of a kernel for each of its work-groups, or for each tile of a list. Equal sets are
/// stored once.
struct GroupValues {
  /// By set of values, then by expression: the value as written, unit included.
  std::vector<std::vector<std::string>> texts;
  std::vector<std::uint32_t> of_group;     ///< by work-group or tile: its set; empty: there are no such expressions
  std::vector<std::uint64_t> first_group;  ///< by set: the first work-group or tile that has it
};

/// Returns true for names of an expression with a value for each work-group: `group`, counted from 0, and its position
/// in the range of work-groups, `group_x` in the dimension that runs fastest, then `group_y` and `group_z`.
bool is_group_name(std::string_view name);

/// The name of a tile's number, counted from 0, in expressions of its body.
inline constexpr std::string_view kTileName = "tile";

/// ` gdsim's name for it is group_x` for names of CUDA and OpenCL that have a counterpart; empty for other names.
std::string hint_at_own_name(std::string_view name);

/// An expression with the values of its names, except those of the work-group or tile.
struct GroupExpression {
  const Expression* expression = nullptr;
  std::vector<std::optional<double>> known;  ///< by name of the expression; nullopt: a name of the work-group or tile
  std::string unit;                          ///< ` ns`, or empty
};

/// An expression that has no value for a work-group or tile.
struct NoGroupValue {
  std::size_t expression = 0;
  std::uint64_t group = 0;
  std::string why;
};

/// Computes all expressions for all work-groups of the range, whose number must fit into 64 bits. Stops at the first
/// one without a value, and reports it in `failure`. Also stops after `max_sets` different sets of values, with one
/// more in `texts`.
GroupValues compute_group_values(const std::vector<GroupExpression>& expressions, const NdRange& range,
                                 std::size_t max_sets, std::optional<NoGroupValue>& failure);

/// Computes all expressions for `count` tiles.
GroupValues compute_tile_values(const std::vector<GroupExpression>& expressions, std::uint64_t count,
                                std::size_t max_sets, std::optional<NoGroupValue>& failure);

}  // namespace gdsim
