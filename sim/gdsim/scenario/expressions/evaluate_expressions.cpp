#include <gdsim/scenario/expressions/evaluate_expressions.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/scenario/device/read_device.hpp>
#include <gdsim/scenario/expressions/automatic_sizes.hpp>
#include <gdsim/scenario/expressions/expression_value.hpp>
#include <gdsim/scenario/expressions/group_value_places.hpp>
#include <gdsim/scenario/expressions/known_names.hpp>
#include <gdsim/scenario/expressions/numbered_values.hpp>
#include <gdsim/scenario/expressions/parameters.hpp>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

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
      KnownName& known = names_.entry_of(name);
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
    NumberedValues numbered({cache_, names_, problems_, evaluated_.without_value});
    for (YamlEntry& entry : kernel.entries) {
      numbered.mark(entry);
      evaluate(entry.value);
    }
    if (!numbered.empty()) evaluated_.by_kernel.emplace(name, numbered.values_of(kernel));
    names_.resize(names_outside);
  }

  void know_sizes(const YamlNode& kernel) {
    const YamlNode* local = kernel.find("local");
    const YamlNode* sub_group = kernel.find("sub_group");
    Diagnostics ignored;
    const ValueReader values(ignored);
    std::optional<std::uint64_t> items;
    if (local != nullptr) items = written_work_items(*local);
    for (const char* name : {"local", "threads"})
      names_.entry_of(name).problem = "is not known, for `local` cannot be read";
    if (!items || *items > static_cast<std::uint64_t>(kMaxExactWhole)) return;
    names_.entry_of("local").value = static_cast<double>(*items);
    names_.entry_of("threads").problem = "is not known, for `sub_group` cannot be read";
    if (sub_group == nullptr) return;
    if (const auto size = values.whole(*sub_group, "sub_group", 1))
      names_.entry_of("threads").value = static_cast<double>(*items / *size + (*items % *size != 0 ? 1 : 0));
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

  std::string value_of(const ExpressionValue& written) {
    const Expression& expression = parsed(cache_, written);
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
