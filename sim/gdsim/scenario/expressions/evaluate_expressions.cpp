#include <gdsim/scenario/expressions/evaluate_expressions.hpp>

#include <gdsim/base/near_names.hpp>
#include <gdsim/base/printable.hpp>
#include <gdsim/scenario/device/read_device.hpp>
#include <gdsim/scenario/expressions/automatic_sizes.hpp>
#include <gdsim/scenario/expressions/expression_value.hpp>
#include <gdsim/scenario/expressions/group_value_places.hpp>
#include <gdsim/scenario/expressions/parameters.hpp>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

/// What stands for a value that could not be computed, so that no second problem follows from it.
constexpr const char* kStandIn = "1";

bool has_expression(const YamlNode& node) {
  if (node.is_scalar()) return node.text.starts_with("= ");
  return std::any_of(node.items.begin(), node.items.end(), has_expression) ||
         std::any_of(node.entries.begin(), node.entries.end(),
                     [](const YamlEntry& entry) { return has_expression(entry.value); });
}

/// A name in an expression, and why it has no value if it has none.
struct KnownName {
  std::string name;
  std::optional<double> value;
  bool is_quantity = false;
  std::string problem = {};
};

class Evaluator {
 public:
  Evaluator(YamlNode& root, const std::filesystem::path& near, ModelLibrary& models, ExpressionCache& cache,
            Diagnostics& problems)
      : root_(root), near_(near), models_(models), cache_(cache), problems_(problems) {}

  EvaluatedExpressions run() {
    const ValueReader values(problems_);
    if (const YamlNode* parameters = root_.find("parameters"))
      for (Parameter& one : read_parameters(*parameters, values))
        names_.push_back({std::move(one.name), one.value, one.is_quantity});
    if (!std::any_of(root_.entries.begin(), root_.entries.end(), [](const YamlEntry& entry) {
          return is_evaluated(entry) && (has_expression(entry.value) || has_sizes_to_choose(entry));
        }))
      return {};
    add_unknown("device.cores", "is not known inside of the device itself");
    add_unknown("device.contexts", "is not known inside of the device itself");
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

  void add_unknown(std::string name, std::string problem) {
    names_.push_back({std::move(name), std::nullopt, false, std::move(problem)});
  }
  KnownName& named(std::string_view name) {
    return *std::find_if(names_.begin(), names_.end(), [&](const KnownName& known) { return known.name == name; });
  }

  /// The device's counts, if the device can be read; if not, the reader of the scenario reports why.
  void know_device() {
    const YamlNode* device = root_.find("device");
    Diagnostics ignored;
    if (device != nullptr) device_ = read_device(*device, near_, models_, ValueReader(ignored), common_mode());
    for (const char* name : {"device.cores", "device.contexts"}) {
      KnownName& known = named(name);
      known.problem = "is not known, for the device cannot be read";
      if (!device_) continue;
      known.value = static_cast<double>(known.name == "device.cores" ? device_->cores : device_->contexts_total());
    }
  }

  /// The mode of the first kernel: all have the same, or the scenario is refused.
  const YamlNode* common_mode() const {
    const YamlNode* kernels = root_.find("kernels");
    return kernels != nullptr && kernels->is_mapping() && !kernels->entries.empty()
               ? kernels->entries.front().value.find("mode")
               : nullptr;
  }

  /// First what `local` and `threads` follow from, then the rest, then what differs by work-group.
  void evaluate_kernel(const std::string& name, YamlNode& kernel) {
    if (!kernel.is_mapping() || (!has_expression(kernel) && !has_automatic_sizes(kernel))) {
      evaluate(kernel);
      return;
    }
    const std::size_t names_outside = names_.size();
    add_unknown("local", "is not known before `local` and `sub_group` are");
    add_unknown("threads", "is not known before `local` and `sub_group` are");
    for (const char* key : {"local", "sub_group"})
      if (YamlNode* value = kernel.find(key)) evaluate(*value);
    if (has_automatic_sizes(kernel)) {
      if (YamlNode* global = kernel.find("global")) evaluate(*global);
      choose_sizes(kernel, device_ ? &*device_ : nullptr);
    }
    know_sizes(kernel);
    std::vector<YamlNode*> in_program;
    std::vector<YamlNode*> factors;
    for (YamlEntry& entry : kernel.entries) {
      if (entry.key == "program")
        mark_group_values(
            entry.value, [this](const YamlNode& node) { return uses_group(node); }, in_program);
      if (entry.key == "variation" && entry.value.is_mapping())
        if (YamlNode* groups = entry.value.find("work_groups"); groups != nullptr && expression_of(*groups))
          mark_group_value(*groups, factors);
      evaluate(entry.value);
    }
    if (!in_program.empty() || !factors.empty()) {
      KernelGroupValues values;
      const auto range = written_range(kernel);
      if (!in_program.empty()) values.program = group_values(in_program, range, kMaxGroupPrograms);
      if (!factors.empty()) values.factors = group_values(factors, range, kMaxGroupsWithValues);
      for (YamlNode* node : factors)
        if (node->group_value == 0) node->kind = YamlNode::Kind::mapping;  // not the name of a file
      evaluated_.by_kernel.emplace(name, std::move(values));
    }
    names_.resize(names_outside);
  }

  /// Its expression uses a name of the work-group that no parameter has.
  bool uses_group(const YamlNode& node) {
    const auto written = expression_of(node);
    if (!written) return false;
    try {
      const auto& names = parsed(*written).names();
      return std::any_of(names.begin(), names.end(), [this](const auto& name) { return is_of_group(name.text); });
    } catch (const ExpressionError&) {
      return false;  // reported where it is evaluated
    }
  }

  bool is_of_group(const std::string& name) const {
    return is_group_name(name) &&
           std::none_of(names_.begin(), names_.end(), [&](const KnownName& one) { return one.name == name; });
  }

  /// The values of these nodes for all work-groups; none if there is a problem.
  GroupValues group_values(const std::vector<YamlNode*>& nodes, const std::optional<NdRange>& range,
                           std::size_t max_sets) {
    std::vector<GroupExpression> expressions;
    for (YamlNode* node : nodes) {
      const auto written = expression_of(*node);
      const auto begin = static_cast<std::size_t>(written->formula.data() - node->text.data());
      try {
        expressions.push_back(group_expression(*written));
      } catch (const ExpressionError& error) {
        fail(*node, begin + error.position(), error.what());
      }
    }
    if (expressions.size() < nodes.size() || !range) return without_values(nodes);
    if (range->group_count() > kMaxGroupsWithValues) {
      fail(*nodes.front(), 0,
           "the kernel has " + std::to_string(range->group_count()) + " work-groups; at most " +
               std::to_string(kMaxGroupsWithValues) + " may have a value each");
      return without_values(nodes);
    }
    std::optional<NoGroupValue> failure;
    GroupValues values = compute_group_values(expressions, *range, max_sets, failure);
    if (failure) {
      fail(*nodes[failure->expression], 0, "for work-group " + std::to_string(failure->group) + ", " + failure->why);
    } else if (values.texts.size() > max_sets) {
      fail(*nodes.front(), 0,
           "up to work-group " + std::to_string(values.first_group.back()) + ", there are more than " +
               std::to_string(max_sets) +
               " different programs; let some work-groups do the same, as in `= mod(group, " +
               std::to_string(max_sets) + ")`");
    } else {
      return values;
    }
    return without_values(nodes);
  }

  /// Each becomes the stand-in.
  GroupValues without_values(const std::vector<YamlNode*>& nodes) {
    for (YamlNode* node : nodes) {
      evaluated_.without_value.push_back(node->mark);
      const auto written = expression_of(*node);
      node->text = kStandIn + (written->unit.empty() ? std::string() : " " + std::string(written->unit));
      node->style = YamlNode::Style::plain;
      node->group_value = 0;
    }
    return {};
  }

  void fail(const YamlNode& node, std::size_t offset, const std::string& why) {
    const auto written = expression_of(node);
    const auto begin = static_cast<std::size_t>(written->formula.data() - node.text.data());
    problems_.add(mark_within(node, std::max(begin, offset)),
                  "the expression " + in_quotes(std::string(written->formula)) + ": " + why);
  }

  GroupExpression group_expression(const ExpressionValue& written) {
    GroupExpression one;
    one.expression = &parsed(written);
    if (!written.unit.empty()) one.unit = " " + std::string(written.unit);
    for (const Expression::Name& name : one.expression->names())
      one.known.push_back(is_of_group(name.text) ? std::nullopt : std::optional(known_value(name, written)));
    return one;
  }

  void know_sizes(const YamlNode& kernel) {
    const YamlNode* local = kernel.find("local");
    const YamlNode* sub_group = kernel.find("sub_group");
    Diagnostics ignored;
    const ValueReader values(ignored);
    std::optional<std::uint64_t> items;
    if (local != nullptr) items = work_items(*local, values);
    for (const char* name : {"local", "threads"}) named(name).problem = "is not known, for `local` cannot be read";
    if (!items || *items > static_cast<std::uint64_t>(kMaxExactWhole)) return;
    named("local").value = static_cast<double>(*items);
    named("threads").problem = "is not known, for `sub_group` cannot be read";
    if (sub_group == nullptr) return;
    if (const auto size = values.whole(*sub_group, "sub_group", 1))
      named("threads").value = static_cast<double>(*items / *size + (*items % *size != 0 ? 1 : 0));
  }

  static std::optional<std::uint64_t> work_items(const YamlNode& local, const ValueReader& values) {
    if (!local.is_sequence()) return values.whole(local, "local", 1);
    std::uint64_t product = 1;
    for (const YamlNode& item : local.items) {
      const auto size = values.whole(item, "local", 1);
      if (!size || __builtin_mul_overflow(product, *size, &product)) return std::nullopt;
    }
    return product;
  }

  /// Of the device and its modes, `sources` are words.
  void evaluate_device(YamlNode& device) {
    evaluate(device, {"sources", "modes"});
    YamlNode* modes = device.find("modes");
    if (modes == nullptr) return;
    for (YamlEntry& mode : modes->entries) evaluate(mode.value, {"sources"});
    evaluate_items(*modes);
  }

  /// Of each item, `source` is words.
  void evaluate_expectations(YamlNode& expect) {
    for (YamlNode& item : expect.items) evaluate(item, {"source"});
    evaluate_entries(expect);
  }

  /// All below it, but for the values of its own keys in `words`.
  void evaluate(YamlNode& node, std::initializer_list<std::string_view> words = {}) {
    evaluate_items(node);
    evaluate_entries(node, words);
    const auto expression = expression_of(node);
    if (!expression || node.group_value > 0) return;
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
    for (const Expression::Name& name : expression.names()) values.push_back(known_value(name, written));
    return number_text(expression.value(values));
  }

  double known_value(const Expression::Name& name, const ExpressionValue& written) const {
    const KnownName& known = find(name);
    if (known.is_quantity && written.unit.empty())
      throw ExpressionError(name.position, in_quotes(name.text) +
                                               " is a quantity and enters in its base unit (B, ps, Hz, B/s); a unit "
                                               "must stand behind the expression, as in `= 2 * " +
                                               name.text + " B`");
    return *known.value;
  }

  const KnownName& find(const Expression::Name& name) const {
    std::vector<std::string_view> known;
    for (const KnownName& one : names_) {
      if (one.name == name.text && one.value) return one;
      if (one.name == name.text) throw ExpressionError(name.position, in_quotes(name.text) + " " + one.problem);
      if (one.value) known.push_back(one.name);
    }
    if (is_group_name(name.text))
      throw ExpressionError(
          name.position,
          in_quotes(name.text) +
              " depends on the work-group; it may stand only in loop counts and step amounts of "
              "`program:`, and in `variation:`, as in `variation: {work_groups: \"= mod(group, 4) + 1\"}`");
    std::string hint = hint_at_own_name(name.text);
    if (hint.empty()) hint = did_you_mean(name.text, known);
    throw ExpressionError(name.position, in_quotes(name.text) + " is no parameter; known here: " + join(known) +
                                             (hint.empty() ? "" : ";" + hint));
  }

  YamlNode& root_;
  const std::filesystem::path& near_;
  ModelLibrary& models_;
  ExpressionCache& cache_;
  Diagnostics& problems_;
  std::vector<KnownName> names_;
  std::optional<DeviceSpec> device_;  ///< nothing: it cannot be read
  EvaluatedExpressions evaluated_;
};

}  // namespace

EvaluatedExpressions evaluate_expressions(YamlNode& root, const std::filesystem::path& near, ModelLibrary& models,
                                          ExpressionCache& cache, Diagnostics& problems) {
  if (!root.is_mapping()) return {};
  return Evaluator(root, near, models, cache, problems).run();
}

}  // namespace gdsim
