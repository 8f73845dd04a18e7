#include <gdsim/scenario/expressions/numbered_values.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>

#include <algorithm>
#include <utility>

namespace gdsim {

template <class IsOne>
bool NumberedValues::uses(const YamlNode& node, IsOne is_one) const {
  const auto written = expression_of(node);
  if (!written) return false;
  try {
    const auto& names = parsed(setting_.cache, *written).names();
    return std::any_of(names.begin(), names.end(), [&](const auto& name) { return is_one(name.text); });
  } catch (const ExpressionError&) {
    return false;  // reported where it is evaluated
  }
}

void NumberedValues::mark(YamlEntry& entry) {
  if (entry.key == "program") {
    const auto of_group = [this](const std::string& word) { return is_of_group(word); };
    const auto of_either = [this](const std::string& word) { return is_of_group(word) || is_of_tile(word); };
    mark_group_values(
        entry.value, [&](const YamlNode& node) { return uses(node, of_group); }, in_program_);
    in_tiles_ = mark_tile_values(entry.value, [&](const YamlNode& node) { return uses(node, of_either); });
  }
  if (entry.key == "variation" && entry.value.is_mapping())
    if (YamlNode* groups = entry.value.find("work_groups"); groups != nullptr && expression_of(*groups))
      mark_group_value(*groups, factors_);
}

template <class HasNoValueYet>
std::optional<std::vector<GroupExpression>> NumberedValues::numbered_expressions(const Nodes& nodes,
                                                                                 HasNoValueYet has_no_value_yet) {
  std::vector<GroupExpression> expressions;
  for (YamlNode* node : nodes) {
    const auto written = expression_of(*node);
    const auto begin = static_cast<std::size_t>(written->formula.data() - node->text.data());
    try {
      GroupExpression one;
      one.expression = &parsed(setting_.cache, *written);
      if (!written->unit.empty()) one.unit = " " + std::string(written->unit);
      for (const Expression::Name& name : one.expression->names())
        one.known.push_back(has_no_value_yet(name) ? std::nullopt
                                                   : std::optional(setting_.names.value(name, *written)));
      expressions.push_back(std::move(one));
    } catch (const ExpressionError& error) {
      fail(*node, begin + error.position(), error.what());
    }
  }
  if (expressions.size() < nodes.size()) return std::nullopt;
  return expressions;
}

GroupValues NumberedValues::group_values(const Nodes& nodes, const std::optional<NdRange>& range,
                                         std::size_t max_sets) {
  const auto expressions =
      numbered_expressions(nodes, [this](const Expression::Name& name) { return is_of_group(name.text); });
  if (!expressions || !range) return without_values(nodes);
  if (range->group_count() > kMaxGroupsWithValues) {
    fail(*nodes.front(), 0,
         "the kernel has " + std::to_string(range->group_count()) + " work-groups; at most " +
             std::to_string(kMaxGroupsWithValues) + " may have a value each");
    return without_values(nodes);
  }
  std::optional<NoGroupValue> failure;
  GroupValues values = compute_group_values(*expressions, *range, max_sets, failure);
  return usable(nodes, std::move(values), failure, max_sets,
                {"work-group", "different programs; let some work-groups do the same, as in `= mod(group, "});
}

GroupValues NumberedValues::tile_values(const MarkedTiles& tiles) {
  Diagnostics ignored;
  const auto count =
      tiles.count == nullptr ? std::nullopt : ValueReader(ignored).whole(*tiles.count, "count", 1, kMaxTiles);
  const auto expressions = numbered_expressions(tiles.nodes, [this](const Expression::Name& name) {
    if (is_of_group(name.text))
      throw ExpressionError(name.position, in_quotes(name.text) +
                                               " depends on the work-group; what is done for a tile may depend on "
                                               "`tile`, its number, and on no work-group");
    return is_of_tile(name.text);
  });
  if (!expressions || !count) return without_values(tiles.nodes);
  std::optional<NoGroupValue> failure;
  GroupValues values = compute_tile_values(*expressions, *count, kMaxTileBodies, failure);
  return usable(tiles.nodes, std::move(values), failure, kMaxTileBodies,
                {"tile", "different bodies; let some tiles do the same, as in `= mod(tile, "});
}

GroupValues NumberedValues::usable(const Nodes& nodes, GroupValues values, const std::optional<NoGroupValue>& failure,
                                   std::size_t max_sets, const NumberedWords& words) {
  if (failure) {
    fail(*nodes[failure->expression], 0,
         std::string("for ") + words.one + " " + std::to_string(failure->group) + ", " + failure->why);
  } else if (values.texts.size() > max_sets) {
    fail(*nodes.front(), 0,
         std::string("up to ") + words.one + " " + std::to_string(values.first_group.back()) +
             ", there are more than " + std::to_string(max_sets) + " " + words.too_many + std::to_string(max_sets) +
             ")`");
  } else {
    return values;
  }
  return without_values(nodes);
}

GroupValues NumberedValues::without_values(const Nodes& nodes) {
  for (YamlNode* node : nodes) {
    setting_.without_value.push_back(node->mark);
    const auto written = expression_of(*node);
    node->text = kStandIn + (written->unit.empty() ? std::string() : " " + std::string(written->unit));
    node->style = YamlNode::Style::plain;
    node->group_value = node->tile_value = 0;
  }
  return {};
}

void NumberedValues::fail(const YamlNode& node, std::size_t offset, const std::string& why) {
  const auto written = expression_of(node);
  const auto begin = static_cast<std::size_t>(written->formula.data() - node.text.data());
  setting_.problems.add(mark_within(node, std::max(begin, offset)),
                        "the expression " + in_quotes(std::string(written->formula)) + ": " + why);
}

KernelGroupValues NumberedValues::values_of(const YamlNode& kernel) {
  KernelGroupValues values;
  const auto range = written_range(kernel);
  if (!in_program_.empty()) values.program = group_values(in_program_, range, kMaxGroupPrograms);
  if (!factors_.empty()) values.factors = group_values(factors_, range, kMaxGroupsWithValues);
  for (YamlNode* node : factors_)
    if (node->group_value == 0) node->kind = YamlNode::Kind::mapping;  // not the name of a file
  for (const MarkedTiles& tiles : in_tiles_) values.tiles.push_back(tile_values(tiles));
  return values;
}

}  // namespace gdsim
