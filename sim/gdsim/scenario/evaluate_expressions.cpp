#include <gdsim/scenario/evaluate_expressions.hpp>

#include <gdsim/base/near_names.hpp>
#include <gdsim/base/printable.hpp>
#include <gdsim/scenario/expression_value.hpp>
#include <gdsim/scenario/parameters.hpp>
#include <gdsim/scenario/read_device.hpp>

#include <algorithm>
#include <initializer_list>
#include <optional>
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

  std::vector<SourceMark> run() {
    const ValueReader values(problems_);
    if (const YamlNode* parameters = root_.find("parameters"))
      for (Parameter& one : read_parameters(*parameters, values))
        names_.push_back({std::move(one.name), one.value, one.is_quantity});
    if (!std::any_of(root_.entries.begin(), root_.entries.end(),
                     [](const YamlEntry& entry) { return is_evaluated(entry) && has_expression(entry.value); }))
      return {};
    add_unknown("device.cores", "is not known inside of the device itself");
    add_unknown("device.contexts", "is not known inside of the device itself");
    if (YamlNode* device = root_.find("device")) evaluate_device(*device);
    know_device();
    for (YamlEntry& entry : root_.entries) {
      if (!is_evaluated(entry) || entry.key == "device") continue;
      if (entry.key == "kernels" && entry.value.is_mapping()) {
        for (YamlEntry& kernel : entry.value.entries) evaluate_kernel(kernel.value);
      } else if (entry.key == "expect") {
        evaluate_expectations(entry.value);
      } else {
        evaluate(entry.value);
      }
    }
    return std::move(without_value_);
  }

 private:
  static bool is_evaluated(const YamlEntry& entry) { return entry.key != "scenario" && entry.key != "parameters"; }

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
    const auto spec =
        device != nullptr ? read_device(*device, near_, models_, ValueReader(ignored), common_mode()) : std::nullopt;
    for (const char* name : {"device.cores", "device.contexts"}) {
      KnownName& known = named(name);
      known.problem = "is not known, for the device cannot be read";
      if (!spec) continue;
      known.value = static_cast<double>(known.name == "device.cores" ? spec->cores : spec->contexts_total());
    }
  }

  /// The mode of the first kernel: all have the same, or the scenario is refused.
  const YamlNode* common_mode() const {
    const YamlNode* kernels = root_.find("kernels");
    return kernels != nullptr && kernels->is_mapping() && !kernels->entries.empty()
               ? kernels->entries.front().value.find("mode")
               : nullptr;
  }

  /// First what `local` and `threads` follow from, then the rest.
  void evaluate_kernel(YamlNode& kernel) {
    if (!kernel.is_mapping() || !has_expression(kernel)) {
      evaluate(kernel);
      return;
    }
    const std::size_t names_outside = names_.size();
    add_unknown("local", "is not known before `local` and `sub_group` are");
    add_unknown("threads", "is not known before `local` and `sub_group` are");
    for (const char* key : {"local", "sub_group"})
      if (YamlNode* value = kernel.find(key)) evaluate(*value);
    know_sizes(kernel);
    for (YamlEntry& entry : kernel.entries) evaluate(entry.value);
    names_.resize(names_outside);
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
    if (!expression) return;
    std::string text = kStandIn;
    const std::size_t begin = static_cast<std::size_t>(expression->formula.data() - node.text.data());
    try {
      text = value_of(*expression);
    } catch (const ExpressionError& error) {
      const std::string shown(expression->formula);
      problems_.add(mark_within(node, begin + error.position()),
                    "the expression " + in_quotes(shown) + ": " + error.what());
      without_value_.push_back(node.mark);
    }
    if (!expression->unit.empty()) text += " " + std::string(expression->unit);
    node.text = std::move(text);
    node.style = YamlNode::Style::plain;
  }

  void evaluate_items(YamlNode& node) {
    for (YamlNode& item : node.items) evaluate(item);
  }
  void evaluate_entries(YamlNode& node, std::initializer_list<std::string_view> words = {}) {
    for (YamlEntry& entry : node.entries)
      if (std::find(words.begin(), words.end(), entry.key) == words.end()) evaluate(entry.value);
  }

  std::string value_of(const ExpressionValue& written) {
    auto cached = cache_.find(written.formula);
    if (cached == cache_.end())
      cached = cache_.emplace(std::string(written.formula), Expression(written.formula)).first;
    const Expression& expression = cached->second;
    std::vector<double> values;
    for (const Expression::Name& name : expression.names()) {
      const KnownName& known = find(name);
      if (known.is_quantity && written.unit.empty())
        throw ExpressionError(name.position, in_quotes(name.text) +
                                                 " is a quantity and enters in its base unit (B, ps, Hz, B/s); a unit "
                                                 "must stand behind the expression, as in `= 2 * " +
                                                 name.text + " B`");
      values.push_back(*known.value);
    }
    return number_text(expression.value(values));
  }

  const KnownName& find(const Expression::Name& name) const {
    std::vector<std::string_view> known;
    for (const KnownName& one : names_) {
      if (one.name == name.text && one.value) return one;
      if (one.name == name.text) throw ExpressionError(name.position, in_quotes(name.text) + " " + one.problem);
      if (one.value) known.push_back(one.name);
    }
    const std::string hint = did_you_mean(name.text, known);
    throw ExpressionError(name.position, in_quotes(name.text) + " is no parameter; known here: " + join(known) +
                                             (hint.empty() ? "" : ";" + hint));
  }

  YamlNode& root_;
  const std::filesystem::path& near_;
  ModelLibrary& models_;
  ExpressionCache& cache_;
  Diagnostics& problems_;
  std::vector<KnownName> names_;
  std::vector<SourceMark> without_value_;
};

}  // namespace

std::vector<SourceMark> evaluate_expressions(YamlNode& root, const std::filesystem::path& near, ModelLibrary& models,
                                             ExpressionCache& cache, Diagnostics& problems) {
  if (!root.is_mapping()) return {};
  return Evaluator(root, near, models, cache, problems).run();
}

}  // namespace gdsim
