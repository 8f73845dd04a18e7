#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/scenario/device/model_library.hpp>
#include <gdsim/scenario/expressions/expression.hpp>
#include <gdsim/scenario/expressions/parameters.hpp>
#include <gdsim/workload/kernel.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
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

/// Parsed expressions by their text: a scenario that is read many times parses each once.
using ExpressionCache = std::map<std::string, Expression, std::less<>>;

/// The parsed formula, which stays valid as long as the cache. Throws ExpressionError.
inline const Expression& parsed(ExpressionCache& cache, const ExpressionValue& written) {
  auto known = cache.find(written.formula);
  if (known == cache.end()) known = cache.emplace(std::string(written.formula), Expression(written.formula)).first;
  return known->second;
}

/// The values of a kernel that differ by work-group, or by tile.
struct KernelGroupValues {
  GroupValues program;
  GroupValues factors;             ///< `variation.work_groups`: one expression
  std::vector<GroupValues> tiles;  ///< by number of a body, see YamlNode::tile_value
};

/// The maximum number of work-groups for which one expression may have separate values.
inline constexpr std::uint64_t kMaxGroupsWithValues = std::uint64_t{1} << 22;

/// Replaces a value that could not be computed, so that no second problem follows from it.
inline constexpr const char* kStandIn = "1";

/// Finds the expressions of one kernel whose values differ by work-group or by tile, and computes these values.
class NumberedValues {
 public:
  /// What expressions are made of, and what becomes of those that are wrong.
  struct Setting {
    ExpressionCache& cache;
    const KnownNames& names;
    Diagnostics& problems;
    std::vector<SourceMark>& without_value;  ///< gets the places of expressions without a value
  };

  /// All must outlive this.
  explicit NumberedValues(const Setting& setting) : setting_(setting) {}

  /// Marks such expressions of an entry of the kernel: they stay as written.
  void mark(YamlEntry& entry);
  bool empty() const { return in_program_.empty() && factors_.empty() && in_tiles_.empty(); }
  /// The values of all that was marked, once the rest of the kernel is evaluated. Expressions without a value become 1.
  KernelGroupValues values_of(const YamlNode& kernel);

 private:
  using Nodes = std::vector<YamlNode*>;
  /// The words of messages about values that differ by work-group or tile.
  struct NumberedWords {
    const char* one;
    const char* too_many;
  };

  /// Returns true if the node's expression uses a name for which `is_one` holds.
  template <class IsOne>
  bool uses(const YamlNode& node, IsOne is_one) const;
  bool is_of_group(const std::string& name) const { return is_group_name(name) && !setting_.names.has(name); }
  bool is_of_tile(const std::string& name) const { return name == kTileName && !setting_.names.has(name); }
  /// The values of these nodes for all work-groups; none if there is a problem.
  GroupValues group_values(const Nodes& nodes, const std::optional<NdRange>& range, std::size_t max_sets);
  /// The values of these nodes for all tiles of a list.
  GroupValues tile_values(const MarkedTiles& tiles);
  /// Nothing if one of the nodes is not a valid expression, which is then reported.
  template <class HasNoValueYet>
  std::optional<std::vector<GroupExpression>> numbered_expressions(const Nodes& nodes, HasNoValueYet has_no_value_yet);
  /// The values, unless there is a problem with them.
  GroupValues usable(const Nodes& nodes, GroupValues values, const std::optional<NoGroupValue>& failure,
                     std::size_t max_sets, const NumberedWords& words);
  /// Replaces each by the stand-in.
  GroupValues without_values(const Nodes& nodes);
  void fail(const YamlNode& node, std::size_t offset, const std::string& why);

  Setting setting_;
  Nodes in_program_;
  Nodes factors_;
  std::vector<MarkedTiles> in_tiles_;
};

/// Returns true if the kernel has `local: auto` or `sub_group: auto`, or no `sub_group`.
bool has_automatic_sizes(const YamlNode& kernel);

/// Replaces `auto` by numbers, with a rule of this project: real runtimes have their own.
///
/// `local`: in each dimension, the fastest first, the largest number that divides `global` and keeps the work-group
/// within the device's maximum and within the contexts of a core; registers and SLM are ignored. `sub_group`: the
/// device's largest size that divides the work-group, else its smallest; without the key, the only size of a device
/// that has one. Without a device, or if `global` or `local`
/// cannot be read, the number is 1; the problem is reported elsewhere.
void choose_sizes(YamlNode& kernel, const DeviceSpec* device);

/// Returns the device's largest sub-group size that divides a work-group of so many work-items and that `may_be`
/// accepts; if there is none, its smallest, or 1 if the device has no sizes.
std::uint64_t automatic_sub_group(const DeviceSpec& device, std::uint64_t items,
                                  const std::function<bool(std::uint64_t)>& may_be);

/// The result of evaluating the expressions of a scenario.
struct EvaluatedExpressions {
  /// Places of expressions without a value, where no further checks are possible.
  std::vector<SourceMark> without_value{};
  std::map<std::string, KernelGroupValues, std::less<>> by_kernel{};  ///< only kernels that have such values
};

/// Replaces every expression in a scenario, whose cases and overrides are applied, by its value. Names are the
/// scenario's parameters, `device.cores` and `device.contexts`, and in a kernel its own `local` (work-items of a
/// work-group) and `threads` (threads of a work-group). Expressions of a program and of `variation.work_groups` may
/// also use names that satisfy is_group_name(), and those in the body of `tiles` kTileName. Such expressions stay as
/// written and get a number (`YamlNode::group_value`, `tile_value`), and their values are returned. The title and the
/// sources of expectations are texts and stay unchanged. Every problem is added with its place. An expression without a
/// value becomes 1, so that the rest can be checked.
EvaluatedExpressions evaluate_expressions(YamlNode& root, const std::filesystem::path& near, ModelLibrary& models,
                                          ExpressionCache& cache, Diagnostics& problems);

}  // namespace gdsim
