#include <gdsim/scenario/expressions/evaluate_expressions.hpp>

#include <gdsim/base/near_names.hpp>
#include <gdsim/base/printable.hpp>
#include <gdsim/scenario/device/read_device.hpp>
#include <gdsim/scenario/expressions/automatic_sizes.hpp>
#include <gdsim/scenario/expressions/expression_value.hpp>
#include <gdsim/scenario/expressions/group_value_places.hpp>
#include <gdsim/scenario/expressions/known_names.hpp>
#include <gdsim/scenario/expressions/parameters.hpp>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

/// Replaces a value that could not be computed, so that no second problem follows from it.
constexpr const char* kStandIn = "1";

bool has_expression(const YamlNode& node) {
  if (node.is_scalar()) return node.text.starts_with("= ");
  return std::any_of(node.items.begin(), node.items.end(), has_expression) ||
         std::any_of(node.entries.begin(), node.entries.end(),
                     [](const YamlEntry& entry) { return has_expression(entry.value); });
}

class Evaluator {
 public:
  Evaluator(YamlNode& root, const std::filesystem::path& near, ModelLibrary& models, ExpressionCache& cache,
            Diagnostics& problems)
      : root_(root), near_(near), models_(models), cache_(cache), problems_(problems) {}

  EvaluatedExpressions run() {
    const ValueReader values(problems_);
    if (const YamlNode* parameters = root_.find("parameters"))
      for (Parameter& one : read_parameters(*parameters, values))
        names_.add({std::move(one.name), one.value, one.is_quantity});
    if (!std::any_of(root_.entries.begin(), root_.entries.end(), [](const YamlEntry& entry) {
          return is_evaluated(entry) && (has_expression(entry.value) || has_sizes_to_choose(entry));
        }))
      return {};
    names_.add_unknown("device.cores", "is not known inside of the device itself");
    names_.add_unknown("device.contexts", "is not known inside of the device itself");
    if (YamlNode* device = root_.find("device")) evaluate_device(*device);
    know_device();
    for (YamlEntry& entry : root_.entries) {
      if (!is_evaluated(entry) || entry.key == "device") continue;
      if (entry.key == "kernels" && entry.value.is_mapping()) {
        for (YamlEntry& kernel : entry.value.entries) evaluate_kernel(kernel.key, kernel.value);
      } else if (entry.key == "expect") {
        evaluate_expectations(entry.value);
      } else {
        evaluate(entry.value);
      }
    }
    return std::move(evaluated_);
  }

 private:
  static bool is_evaluated(const YamlEntry& entry) { return entry.key != "scenario" && entry.key != "parameters"; }

  static bool has_sizes_to_choose(const YamlEntry& entry) {
    return entry.key == "kernels" && std::any_of(entry.value.entries.begin(), entry.value.entries.end(),
                                                 [](const YamlEntry& one) { return has_automatic_sizes(one.value); });
  }

  /// Adds the device's counts if the device can be read; if not, the reader of the scenario reports why.
  void know_device() {
    const YamlNode* device = root_.find("device");
    Diagnostics ignored;
    if (device != nullptr) device_ = read_device(*device, near_, models_, ValueReader(ignored), common_mode());
    for (const char* name : {"device.cores", "device.contexts"}) {
      KnownName& known = names_.named(name);
      known.problem = "is not known, for the device cannot be read";
      if (!device_) continue;
      known.value = static_cast<double>(known.name == "device.cores" ? device_->cores : device_->contexts_total());
    }
  }

  /// Returns the mode of the first kernel: all kernels must have the same, or the scenario is refused.
  const YamlNode* common_mode() const {
    const YamlNode* kernels = root_.find("kernels");
    return kernels != nullptr && kernels->is_mapping() && !kernels->entries.empty()
               ? kernels->entries.front().value.find("mode")
               : nullptr;
  }

  /// First evaluates the values that determine `local` and `threads`, then the rest, then those by work-group.
  void evaluate_kernel(const std::string& name, YamlNode& kernel) {
    if (!kernel.is_mapping() || (!has_expression(kernel) && !has_automatic_sizes(kernel))) {
      evaluate(kernel);
      return;
    }
    const std::size_t names_outside = names_.size();
    names_.add_unknown("local", "is not known before `local` and `sub_group` are");
    names_.add_unknown("threads", "is not known before `local` and `sub_group` are");
    for (const char* key : {"local", "sub_group"})
      if (YamlNode* value = kernel.find(key)) evaluate(*value);
    if (has_automatic_sizes(kernel)) {
      if (YamlNode* global = kernel.find("global")) evaluate(*global);
      choose_sizes(kernel, device_ ? &*device_ : nullptr);
    }
    know_sizes(kernel);
    std::vector<YamlNode*> in_program;
    std::vector<YamlNode*> factors;
    std::vector<MarkedTiles> in_tiles;
    for (YamlEntry& entry : kernel.entries) {
      if (entry.key == "program") {
        const auto of_group = [this](const std::string& word) { return is_of_group(word); };
        const auto of_either = [this](const std::string& word) { return is_of_group(word) || is_of_tile(word); };
        mark_group_values(
            entry.value, [&](const YamlNode& node) { return uses(node, of_group); }, in_program);
        in_tiles = mark_tile_values(entry.value, [&](const YamlNode& node) { return uses(node, of_either); });
      }
      if (entry.key == "variation" && entry.value.is_mapping())
        if (YamlNode* groups = entry.value.find("work_groups"); groups != nullptr && expression_of(*groups))
          mark_group_value(*groups, factors);
      evaluate(entry.value);
    }
    if (!in_program.empty() || !factors.empty() || !in_tiles.empty()) {
      KernelGroupValues values;
      const auto range = written_range(kernel);
      if (!in_program.empty()) values.program = group_values(in_program, range, kMaxGroupPrograms);
      if (!factors.empty()) values.factors = group_values(factors, range, kMaxGroupsWithValues);
      for (YamlNode* node : factors)
        if (node->group_value == 0) node->kind = YamlNode::Kind::mapping;  // not the name of a file
      for (const MarkedTiles& tiles : in_tiles) values.tiles.push_back(tile_values(tiles));
      evaluated_.by_kernel.emplace(name, std::move(values));
    }
    names_.resize(names_outside);
  }

  /// Returns true if the node's expression uses a name for which `is_one` holds.
  template <class IsOne>
  bool uses(const YamlNode& node, IsOne is_one) {
    const auto written = expression_of(node);
    if (!written) return false;
    try {
      const auto& names = parsed(*written).names();
      return std::any_of(names.begin(), names.end(), [&](const auto& name) { return is_one(name.text); });
    } catch (const ExpressionError&) {
      return false;  // reported where it is evaluated
    }
  }

  bool is_of_group(const std::string& name) const { return is_group_name(name) && !names_.has(name); }
  bool is_of_tile(const std::string& name) const { return name == kTileName && !names_.has(name); }

  /// Returns the values of these nodes for all work-groups, or no values if there is a problem.
  GroupValues group_values(const std::vector<YamlNode*>& nodes, const std::optional<NdRange>& range,
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

  /// Returns the values of these nodes for all tiles of a list.
  GroupValues tile_values(const MarkedTiles& tiles) {
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

  /// The words of messages about values that differ by work-group or tile.
  struct NumberedWords {
    const char* one;
    const char* too_many;
  };

  /// Returns nullopt if one of the nodes is not a valid expression, which is then reported.
  template <class HasNoValueYet>
  std::optional<std::vector<GroupExpression>> numbered_expressions(const std::vector<YamlNode*>& nodes,
                                                                   HasNoValueYet has_no_value_yet) {
    std::vector<GroupExpression> expressions;
    for (YamlNode* node : nodes) {
      const auto written = expression_of(*node);
      const auto begin = static_cast<std::size_t>(written->formula.data() - node->text.data());
      try {
        GroupExpression one;
        one.expression = &parsed(*written);
        if (!written->unit.empty()) one.unit = " " + std::string(written->unit);
        for (const Expression::Name& name : one.expression->names())
          one.known.push_back(has_no_value_yet(name) ? std::nullopt : std::optional(names_.value(name, *written)));
        expressions.push_back(std::move(one));
      } catch (const ExpressionError& error) {
        fail(*node, begin + error.position(), error.what());
      }
    }
    if (expressions.size() < nodes.size()) return std::nullopt;
    return expressions;
  }

  /// Returns the values, unless there is a problem with them.
  GroupValues usable(const std::vector<YamlNode*>& nodes, GroupValues values,
                     const std::optional<NoGroupValue>& failure, std::size_t max_sets, const NumberedWords& words) {
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

  /// Replaces each node by the stand-in.
  GroupValues without_values(const std::vector<YamlNode*>& nodes) {
    for (YamlNode* node : nodes) {
      evaluated_.without_value.push_back(node->mark);
      const auto written = expression_of(*node);
      node->text = kStandIn + (written->unit.empty() ? std::string() : " " + std::string(written->unit));
      node->style = YamlNode::Style::plain;
      node->group_value = node->tile_value = 0;
    }
    return {};
  }

  void fail(const YamlNode& node, std::size_t offset, const std::string& why) {
    const auto written = expression_of(node);
    const auto begin = static_cast<std::size_t>(written->formula.data() - node.text.data());
    problems_.add(mark_within(node, std::max(begin, offset)),
                  "the expression " + in_quotes(std::string(written->formula)) + ": " + why);
  }

  void know_sizes(const YamlNode& kernel) {
    const YamlNode* local = kernel.find("local");
    const YamlNode* sub_group = kernel.find("sub_group");
    Diagnostics ignored;
    const ValueReader values(ignored);
    std::optional<std::uint64_t> items;
    if (local != nullptr) items = written_work_items(*local);
    for (const char* name : {"local", "threads"})
      names_.named(name).problem = "is not known, for `local` cannot be read";
    if (!items || *items > static_cast<std::uint64_t>(kMaxExactWhole)) return;
    names_.named("local").value = static_cast<double>(*items);
    names_.named("threads").problem = "is not known, for `sub_group` cannot be read";
    if (sub_group == nullptr) return;
    if (const auto size = values.whole(*sub_group, "sub_group", 1))
      names_.named("threads").value = static_cast<double>(*items / *size + (*items % *size != 0 ? 1 : 0));
  }

  /// Evaluates a device and its modes; their `sources` are plain text.
  void evaluate_device(YamlNode& device) {
    evaluate(device, {"sources", "modes"});
    YamlNode* modes = device.find("modes");
    if (modes == nullptr) return;
    for (YamlEntry& mode : modes->entries) evaluate(mode.value, {"sources"});
    evaluate_items(*modes);
  }

  /// Evaluates each item; its `source` is plain text.
  void evaluate_expectations(YamlNode& expect) {
    for (YamlNode& item : expect.items) evaluate(item, {"source"});
    evaluate_entries(expect);
  }

  /// Evaluates all values below the node, except those of its own keys in `words`.
  void evaluate(YamlNode& node, std::initializer_list<std::string_view> words = {}) {
    evaluate_items(node);
    evaluate_entries(node, words);
    const auto expression = expression_of(node);
    if (!expression || node.group_value > 0 || node.tile_value > 0) return;
    std::string text = kStandIn;
    const std::size_t begin = static_cast<std::size_t>(expression->formula.data() - node.text.data());
    try {
      text = value_of(*expression);
    } catch (const ExpressionError& error) {
      const std::string shown(expression->formula);
      problems_.add(mark_within(node, begin + error.position()),
                    "the expression " + in_quotes(shown) + ": " + error.what());
      evaluated_.without_value.push_back(node.mark);
    }
    if (!expression->unit.empty()) text += " " + std::string(expression->unit);
    node.text = std::move(text);
    node.style = YamlNode::Style::plain;
    node.is_computed = true;
  }

  void evaluate_items(YamlNode& node) {
    for (YamlNode& item : node.items) evaluate(item);
  }
  void evaluate_entries(YamlNode& node, std::initializer_list<std::string_view> words = {}) {
    for (YamlEntry& entry : node.entries)
      if (std::find(words.begin(), words.end(), entry.key) == words.end()) evaluate(entry.value);
  }

  const Expression& parsed(const ExpressionValue& written) {
    auto cached = cache_.find(written.formula);
    if (cached == cache_.end())
      cached = cache_.emplace(std::string(written.formula), Expression(written.formula)).first;
    return cached->second;
  }

  std::string value_of(const ExpressionValue& written) {
    const Expression& expression = parsed(written);
    std::vector<double> values;
    for (const Expression::Name& name : expression.names()) values.push_back(names_.value(name, written));
    return number_text(expression.value(values));
  }

  YamlNode& root_;
  const std::filesystem::path& near_;
  ModelLibrary& models_;
  ExpressionCache& cache_;
  Diagnostics& problems_;
  KnownNames names_;
  std::optional<DeviceSpec> device_;  ///< nullopt: it cannot be read
  EvaluatedExpressions evaluated_;
};

}  // namespace

EvaluatedExpressions evaluate_expressions(YamlNode& root, const std::filesystem::path& near, ModelLibrary& models,
                                          ExpressionCache& cache, Diagnostics& problems) {
  if (!root.is_mapping()) return {};
  return Evaluator(root, near, models, cache, problems).run();
}

}  // namespace gdsim
