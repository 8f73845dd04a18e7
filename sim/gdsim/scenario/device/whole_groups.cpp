#include <gdsim/scenario/device/whole_groups.hpp>

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

namespace gdsim {
namespace {

/// Returns the value at a path of mappings; null if there is none.
const YamlNode* value_at(const YamlNode& model, std::initializer_list<std::string_view> path) {
  const YamlNode* node = &model;
  for (const std::string_view key : path) {
    node = node->is_mapping() ? node->find(key) : nullptr;
    if (node == nullptr) return nullptr;
  }
  return node;
}

std::string text_at(const YamlNode& model, std::initializer_list<std::string_view> path) {
  const YamlNode* node = value_at(model, path);
  return node != nullptr && node->is_scalar() ? node->text : std::string();
}

std::optional<std::uint64_t> number_at(const YamlNode& model, std::string_view key) {
  const std::string text = text_at(model, {key});
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

std::string cut_groups_problem(const YamlNode& base, const YamlNode& over, const ModelIndex& models) {
  const auto cores = number_at(over, "cores");
  const auto cores_of_base = number_at(base, "cores");
  const YamlNode* levels = base.find("core_groups");
  if (!cores || !cores_of_base || cores == cores_of_base || levels == nullptr || levels->items.empty()) return {};
  if (over.find("core_groups") != nullptr || value_at(over, {"dispatch", "partition"}) != nullptr) return {};
  const YamlNode& outermost = levels->items.front();
  const std::string group = text_at(outermost, {"name"});
  const auto count = number_at(outermost, "count");
  if (!count || *count < 2 || text_at(base, {"dispatch", "partition", "across"}) != group ||
      text_at(base, {"dispatch", "partition", "share"}) != "contiguous")
    return {};
  const std::string name = text_at(over, {"base"});
  const std::uint64_t size = *cores_of_base / *count;
  const std::string one = name + "-" + group;
  return fmt::format(
      "is {}, and {} has {} {}s of {} cores each, among which the work-groups of a launch are divided; for one {}: {}; "
      "for {} smaller ones: `device: {{base: {}, cores: {}, core_groups: [{{name: {}, count: {}}}]}}`",
      *cores, name, *count, group, size, group,
      models.find(one) ? fmt::format("`device: {}`", one) : fmt::format("`cores: 0-{}` of a launch or queue", size - 1),
      *count, name, *cores, group, *count);
}

}  // namespace gdsim
