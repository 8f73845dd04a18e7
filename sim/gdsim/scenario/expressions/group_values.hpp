#pragma once

#include <gdsim/scenario/expressions/expression.hpp>
#include <gdsim/workload/kernel.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// What some expressions of a kernel come to for each of its work-groups, or for each tile of a list: equal ones stand
/// here once.
struct GroupValues {
  /// As it would be written, unit included: by set of values, then expression.
  std::vector<std::vector<std::string>> texts;
  std::vector<std::uint32_t> of_group;     ///< by work-group or tile: which set; empty: there are no such expressions
  std::vector<std::uint64_t> first_group;  ///< by set: the first work-group or tile that has it
};

/// Names that an expression may use where it has a value for each work-group: `group`, counted from 0, and its position
/// in the range of work-groups, `group_x` in the dimension that runs fastest, then `group_y` and `group_z`.
bool is_group_name(std::string_view name);

/// The name of the number of a tile, counted from 0, in expressions of its body.
inline constexpr std::string_view kTileName = "tile";

/// ` gdsim's name for it is group_x` of CUDA's and OpenCL's names of what an expression may use; empty for others.
std::string hint_at_own_name(std::string_view name);

/// An expression whose names have their values, but for those of the work-group or tile.
struct GroupExpression {
  const Expression* expression = nullptr;
  std::vector<std::optional<double>> known;  ///< by name of the expression; nothing: one of those
  std::string unit;                          ///< ` ns`, or nothing
};

/// An expression that has no value for a work-group or tile.
struct NoGroupValue {
  std::size_t expression = 0;
  std::uint64_t group = 0;
  std::string why;
};

/// Computes all expressions for all work-groups of the range, which fit into 64 bits. Stops and reports the first that
/// has no value; after `max_sets` different sets of values it stops as well, with `texts` one longer than that.
GroupValues compute_group_values(const std::vector<GroupExpression>& expressions, const NdRange& range,
                                 std::size_t max_sets, std::optional<NoGroupValue>& failure);

/// The same for `count` tiles.
GroupValues compute_tile_values(const std::vector<GroupExpression>& expressions, std::uint64_t count,
                                std::size_t max_sets, std::optional<NoGroupValue>& failure);

}  // namespace gdsim
