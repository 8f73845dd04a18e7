#include <gdsim/scenario/expressions/group_values.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/fit/limits.hpp>
#include <gdsim/scenario/device/read_device.hpp>
#include <gdsim/scenario/expressions/parameters.hpp>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

bool is_auto(const YamlNode* node) {
  return node != nullptr && node->is_scalar() && node->style == YamlNode::Style::plain && node->text == "auto";
}

std::optional<std::vector<std::uint64_t>> sizes_of(const YamlNode* node) {
  return node != nullptr ? written_sizes(*node) : std::nullopt;
}

std::uint64_t largest_divisor(std::uint64_t size, std::uint64_t max) {
  std::uint64_t divisor = std::min(size, max);
  while (divisor > 1 && size % divisor != 0) --divisor;
  return std::max<std::uint64_t>(divisor, 1);
}

YamlNode number_at(const YamlNode& marked, std::uint64_t number) {
  YamlNode node = marked;
  node.text = std::to_string(number);
  node.is_computed = true;
  return node;
}

/// Returns the maximum size of a work-group whose threads fit on a core with any sub-group size.
std::uint64_t max_items(const DeviceSpec& device, const YamlNode* sub_group) {
  std::uint64_t lanes = 1;
  if (is_auto(sub_group) && !device.sub_group_sizes.empty())
    lanes = *std::min_element(device.sub_group_sizes.begin(), device.sub_group_sizes.end());
  else if (const auto size = sizes_of(sub_group); size && size->size() == 1)
    lanes = size->front();
  std::uint64_t on_core = 0;
  if (__builtin_mul_overflow(device.contexts_per_core(), lanes, &on_core)) on_core = device.max_work_group_size;
  return std::min<std::uint64_t>(device.max_work_group_size, on_core);
}

/// Chooses a number or a list, in the form of `global`.
void choose_local(YamlNode& local, const YamlNode* global, std::uint64_t max) {
  std::vector<std::uint64_t> sizes = sizes_of(global).value_or(std::vector<std::uint64_t>{1});
  for (auto size = sizes.rbegin(); size != sizes.rend(); ++size) {
    *size = largest_divisor(*size, max);
    max /= *size;
  }
  const YamlNode marked = local;
  local.is_chosen = true;
  if (global == nullptr || !global->is_sequence()) {
    local.text = std::to_string(sizes.front());
    local.is_computed = true;
    return;
  }
  local.kind = YamlNode::Shape::sequence;
  local.text.clear();
  for (const std::uint64_t size : sizes) local.items.push_back(number_at(marked, size));
}

/// Returns `registers` by sub-group size if it is written so: `{8: 60, 16: 110, 32: 220}`.
const YamlNode* registers_by_size(const YamlNode& kernel) {
  const YamlNode* registers = kernel.find("registers");
  return registers != nullptr && registers->is_mapping() ? registers : nullptr;
}

/// Returns the registers of a thread or work-item that need no spilling, or nullopt if the device does not say.
std::optional<std::uint64_t> max_registers(const YamlNode& kernel, const DeviceSpec& device) {
  if (device.registers) return device.registers->per_work_item;
  const YamlNode* large = kernel.find("large_grf");
  const bool is_large = large != nullptr && large->text == "true";
  return std::uint64_t{kGrfsOfContext} * (is_large ? device.large_grf_contexts.value_or(1) : 1);
}

/// Returns true if threads of this size spill nothing: `registers` lists their number, and the device has so many.
bool keeps_registers(const YamlNode& kernel, const DeviceSpec& device, std::uint64_t size) {
  const YamlNode* registers = registers_by_size(kernel);
  if (registers == nullptr) return true;
  const auto max = max_registers(kernel, device);
  const auto needed = sizes_of(registers->find(std::to_string(size)));
  return needed && needed->size() == 1 && (!max || needed->front() <= *max);
}

/// Chooses the automatic_sub_group() among the sizes that spill nothing.
void choose_sub_group(YamlNode& sub_group, const YamlNode& kernel, const DeviceSpec* device) {
  const YamlNode* local = kernel.find("local");
  const std::uint64_t items = (local != nullptr ? written_work_items(*local) : std::nullopt).value_or(1);
  const auto keeps = [&](std::uint64_t size) { return keeps_registers(kernel, *device, size); };
  sub_group = number_at(sub_group, device != nullptr ? automatic_sub_group(*device, items, keeps) : 1);
  sub_group.is_chosen = true;
}

}  // namespace

std::uint64_t automatic_sub_group(const DeviceSpec& device, std::uint64_t items,
                                  const std::function<bool(std::uint64_t)>& may_be) {
  const auto& sizes = device.sub_group_sizes;
  std::uint64_t chosen = sizes.empty() ? 1 : *std::min_element(sizes.begin(), sizes.end());
  for (const std::uint64_t size : sizes)
    if (size > chosen && items % size == 0 && may_be(size)) chosen = size;
  return chosen;
}

bool has_automatic_sizes(const YamlNode& kernel) {
  const YamlNode* sub_group = kernel.find("sub_group");
  return kernel.is_mapping() && (is_auto(kernel.find("local")) || sub_group == nullptr || is_auto(sub_group));
}

void choose_sizes(YamlNode& kernel, const DeviceSpec* device) {
  if (kernel.find("sub_group") == nullptr && device != nullptr && device->sub_group_sizes.size() == 1) {
    YamlNode marked;
    marked.mark = kernel.mark;
    kernel.entries.push_back({"sub_group", kernel.mark, number_at(marked, device->sub_group_sizes.front())});
  }
  if (YamlNode* local = kernel.find("local"); is_auto(local))
    choose_local(*local, kernel.find("global"), device != nullptr ? max_items(*device, kernel.find("sub_group")) : 1);
  if (YamlNode* sub_group = kernel.find("sub_group"); is_auto(sub_group)) choose_sub_group(*sub_group, kernel, device);
}

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
      for (Parameter& parameter : read_parameters(*parameters, values))
        names_.add({std::move(parameter.name), parameter.value, parameter.is_quantity});
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
    return entry.key == "kernels" &&
           std::any_of(entry.value.entries.begin(), entry.value.entries.end(),
                       [](const YamlEntry& kernel) { return has_automatic_sizes(kernel.value); });
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
      for (const char* key : {"global", "large_grf"})
        if (YamlNode* value = kernel.find(key)) evaluate(*value);
      if (YamlNode* registers = kernel.find("registers"); registers != nullptr && registers->is_mapping())
        evaluate(*registers);
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
