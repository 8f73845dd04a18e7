#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/scenario/expressions/expression.hpp>
#include <gdsim/scenario/expressions/group_values.hpp>
#include <gdsim/scenario/expressions/known_names.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {

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

}  // namespace gdsim
