#pragma once

#include <gdsim/scenario/device/model_library.hpp>
#include <gdsim/scenario/expressions/expression.hpp>
#include <gdsim/scenario/expressions/group_values.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace gdsim {

/// Expressions that were parsed, by their text: a scenario that is read many times parses each once.
using ExpressionCache = std::map<std::string, Expression, std::less<>>;

/// What of a kernel has another value for each of its work-groups, or for each tile.
struct KernelGroupValues {
  GroupValues program;
  GroupValues factors;             ///< `variation.work_groups`: one expression
  std::vector<GroupValues> tiles;  ///< by number of a body, see YamlNode::tile_value
};

/// What came of the expressions of a scenario.
struct EvaluatedExpressions {
  /// Places of those that have no value: nothing can be said of them.
  std::vector<SourceMark> without_value{};
  std::map<std::string, KernelGroupValues, std::less<>> by_kernel{};  ///< only kernels that have such values
};

/// The largest number of work-groups for each of which an expression may have a value of its own.
inline constexpr std::uint64_t kMaxGroupsWithValues = std::uint64_t{1} << 22;

/// Replaces every expression in a scenario, whose cases and overrides are applied, by its value. Names are the
/// scenario's parameters, `device.cores` and `device.contexts`, and in a kernel its own `local` (work-items of a
/// work-group) and `threads` (threads of a work-group). Expressions of a program and of `variation.work_groups` may
/// also use what is_group_name() says, those in the body of `tiles` its kTileName: these stay as they are written, get
/// a number (`YamlNode::group_value`, `tile_value`), and have their values beside. The title and the sources of
/// expectations are texts and stay as they are. Every problem is added with its place. What has no value becomes 1, so
/// that the rest can be checked.
EvaluatedExpressions evaluate_expressions(YamlNode& root, const std::filesystem::path& near, ModelLibrary& models,
                                          ExpressionCache& cache, Diagnostics& problems);

}  // namespace gdsim
