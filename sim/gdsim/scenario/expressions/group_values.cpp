#include <gdsim/scenario/expressions/group_values.hpp>

#include <gdsim/base/arithmetic.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace gdsim {
namespace {

/// Calls `visit` for each count or amount at or below the node, except those of `tiles`. If `is_amount`, the node
/// itself is one.
void for_each_amount(YamlNode& node, bool is_amount, const std::function<void(YamlNode&)>& visit) {
  constexpr std::array<std::string_view, 8> amounts{"count",    "compute",  "memory",      "bytes",
                                                    "elements", "accesses", "outstanding", "index"};
  if (is_amount && node.is_scalar()) visit(node);
  for (YamlNode& item : node.items) for_each_amount(item, false, visit);
  for (YamlEntry& entry : node.entries) {
    if (entry.key == "tiles") continue;
    if (entry.key == "issue" && entry.value.is_mapping()) {
      for (YamlEntry& kind : entry.value.entries) for_each_amount(kind.value, true, visit);
      continue;
    }
    const bool is_one = std::find(amounts.begin(), amounts.end(), entry.key) != amounts.end();
    for_each_amount(entry.value, is_one || entry.key == "issue", visit);
  }
}

std::optional<Extent> extent_in(const YamlNode& kernel, std::string_view key) {
  const YamlNode* node = kernel.find(key);
  const auto sizes = node != nullptr ? written_sizes(*node) : std::nullopt;
  if (!sizes) return std::nullopt;
  return extent_of(*sizes);
}

}  // namespace

void mark_group_value(YamlNode& node, std::vector<YamlNode*>& found) {
  found.push_back(&node);
  node.group_value = static_cast<std::uint32_t>(found.size());
}

void mark_group_values(YamlNode& program, const std::function<bool(const YamlNode&)>& uses_group,
                       std::vector<YamlNode*>& found) {
  for_each_amount(program, false, [&](YamlNode& node) {
    if (uses_group(node)) mark_group_value(node, found);
  });
}

std::vector<MarkedTiles> mark_tile_values(YamlNode& program, const std::function<bool(const YamlNode&)>& uses_tile) {
  std::vector<MarkedTiles> all;
  for (YamlNode& step : program.items) {
    YamlNode* tiles = step.is_mapping() ? step.find("tiles") : nullptr;
    YamlNode* body = tiles != nullptr && tiles->is_mapping() ? tiles->find("body") : nullptr;
    if (body == nullptr) continue;
    MarkedTiles one{tiles->find("count"), {}};
    for_each_amount(*body, false, [&](YamlNode& node) {
      if (!uses_tile(node)) return;
      one.nodes.push_back(&node);
      node.tile_value = static_cast<std::uint32_t>(one.nodes.size());
    });
    if (one.nodes.empty()) continue;
    all.push_back(std::move(one));
    body->tile_value = static_cast<std::uint32_t>(all.size());
  }
  return all;
}

std::optional<std::vector<std::uint64_t>> written_sizes(const YamlNode& node) {
  Diagnostics ignored;
  const ValueReader values(ignored);
  std::vector<std::uint64_t> sizes;
  for (const YamlNode& item :
       node.is_sequence() ? std::span<const YamlNode>(node.items) : std::span<const YamlNode>(&node, 1)) {
    const auto size = values.whole(item, "size", 1);
    if (!size) return std::nullopt;
    sizes.push_back(*size);
  }
  return sizes;
}

std::optional<std::uint64_t> written_work_items(const YamlNode& local) {
  const auto sizes = written_sizes(local);
  if (!sizes) return std::nullopt;
  std::uint64_t product = 1;
  for (const std::uint64_t size : *sizes)
    if (__builtin_mul_overflow(product, size, &product)) return std::nullopt;
  return product;
}

std::optional<NdRange> written_range(const YamlNode& kernel) {
  const auto global = extent_in(kernel, "global");
  const auto local = extent_in(kernel, "local");
  if (!global || !local) return std::nullopt;
  const NdRange range{*global, *local};
  return range.is_countable() ? std::optional(range) : std::nullopt;
}

namespace {

constexpr std::array<std::string_view, 4> kNames{"group", "group_x", "group_y", "group_z"};

/// Hashes values by their bits. Equal values have equal texts, except a zero with a sign.
struct BitsHash {
  std::size_t operator()(const std::vector<double>& values) const {
    std::uint64_t hash = 0;
    for (const double value : values)
      hash = (hash ^ bit_cast<std::uint64_t>(value)) * 0x9E37'79B9'7F4A'7C15U + (hash >> 32U);
    return static_cast<std::size_t>(hash ^ (hash >> 29U));
  }
};

/// The values of one expression's names. Those of the current work-group or tile, called `own`, are set later.
class Filled {
 public:
  Filled(const GroupExpression& expression, std::span<const std::string_view> own) : of_(expression) {
    const std::vector<Expression::Name>& names = expression.expression->names();
    for (std::size_t i = 0; i < names.size(); ++i) {
      values_.push_back(expression.known[i].value_or(0));
      if (expression.known[i]) continue;
      const auto which = std::find(own.begin(), own.end(), names[i].text) - own.begin();
      places_.push_back({i, static_cast<std::size_t>(which)});
    }
  }

  double value(std::span<const double> own) {
    for (const Place& place : places_) values_[place.name] = own[place.which];
    return of_.expression->value(values_) + 0.0;  // turns -0.0 into 0.0
  }

 private:
  struct Place {
    std::size_t name;
    std::size_t which;
  };
  const GroupExpression& of_;
  std::vector<double> values_;
  std::vector<Place> places_;
};

/// Evaluates the expressions for numbers below `count`; `own_values` gives the values of the names `own` for a number.
template <class OwnValues>
GroupValues compute_values(const std::vector<GroupExpression>& expressions, std::span<const std::string_view> own,
                           std::uint64_t count, OwnValues own_values, std::size_t max_sets,
                           std::optional<NoGroupValue>& failure) {
  std::vector<Filled> filled;
  for (const GroupExpression& expression : expressions) filled.emplace_back(expression, own);
  GroupValues all;
  all.of_group.reserve(count);
  std::unordered_map<std::vector<double>, std::uint32_t, BitsHash> sets;
  std::vector<double> values(expressions.size());
  for (std::uint64_t number = 0; number < count; ++number) {
    const auto of_this = own_values(number);
    for (std::size_t i = 0; i < filled.size(); ++i) {
      try {
        values[i] = filled[i].value(of_this);
      } catch (const ExpressionError& error) {
        failure = NoGroupValue{i, number, error.what()};
        return all;
      }
    }
    const auto [known, is_new] = sets.try_emplace(values, static_cast<std::uint32_t>(sets.size()));
    all.of_group.push_back(known->second);
    if (!is_new) continue;
    all.first_group.push_back(number);
    auto& texts = all.texts.emplace_back();
    for (std::size_t i = 0; i < values.size(); ++i) texts.push_back(number_text(values[i]) + expressions[i].unit);
    if (all.texts.size() > max_sets) return all;
  }
  return all;
}

}  // namespace

bool is_group_name(std::string_view name) { return std::find(kNames.begin(), kNames.end(), name) != kNames.end(); }

std::string hint_at_own_name(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 8> own_names{{{"blockIdx", "group"},
                                                                                    {"blockIdx.x", "group_x"},
                                                                                    {"blockIdx.y", "group_y"},
                                                                                    {"blockIdx.z", "group_z"},
                                                                                    {"blockDim", "local"},
                                                                                    {"blockDim.x", "local"},
                                                                                    {"get_group_id", "group"},
                                                                                    {"get_local_size", "local"}}};
  for (const auto& [word, own] : own_names)
    if (word == name) return " gdsim's name for it is " + std::string(own);
  return {};
}

GroupValues compute_group_values(const std::vector<GroupExpression>& expressions, const NdRange& range,
                                 std::size_t max_sets, std::optional<NoGroupValue>& failure) {
  const Extent groups = range.groups();
  const auto of_group = [&](std::uint64_t group) {
    return std::array<double, kNames.size()>{static_cast<double>(group), static_cast<double>(group % groups[2]),
                                             static_cast<double>(group / groups[2] % groups[1]),
                                             static_cast<double>(group / groups[2] / groups[1])};
  };
  return compute_values(expressions, kNames, range.group_count(), of_group, max_sets, failure);
}

GroupValues compute_tile_values(const std::vector<GroupExpression>& expressions, std::uint64_t count,
                                std::size_t max_sets, std::optional<NoGroupValue>& failure) {
  const auto of_tile = [](std::uint64_t tile) { return std::array<double, 1>{static_cast<double>(tile)}; };
  return compute_values(expressions, std::array<std::string_view, 1>{kTileName}, count, of_tile, max_sets, failure);
}

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
      GroupExpression expression;
      expression.expression = &parsed(setting_.cache, *written);
      if (!written->unit.empty()) expression.unit = " " + std::string(written->unit);
      for (const Expression::Name& name : expression.expression->names())
        expression.known.push_back(has_no_value_yet(name) ? std::nullopt
                                                          : std::optional(setting_.names.value(name, *written)));
      expressions.push_back(std::move(expression));
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
    if (node->group_value == 0) node->kind = YamlNode::Shape::mapping;  // not the name of a file
  for (const MarkedTiles& tiles : in_tiles_) values.tiles.push_back(tile_values(tiles));
  return values;
}

}  // namespace gdsim
