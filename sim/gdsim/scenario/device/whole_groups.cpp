#include <gdsim/scenario/device/whole_groups.hpp>

#include <gdsim/device/device_limits.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

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

std::optional<std::uint64_t> number_of(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<std::uint64_t> number_at(const YamlNode& model, std::string_view key) {
  return number_of(text_at(model, {key}));
}

/// Returns the sizes of the groups of a level of so many cores; empty if they cannot be read: the reader reports that.
std::vector<std::uint64_t> sizes_of(const YamlNode& level, std::uint64_t cores) {
  std::vector<std::uint64_t> sizes;
  if (const YamlNode* written = level.find("sizes"); written != nullptr) {
    for (const YamlNode& item : written->items) sizes.push_back(number_of(item.text).value_or(0));
    return sizes;
  }
  const std::uint64_t count = number_at(level, "count").value_or(0);
  if (count > device_limits::kCores) return {};
  for (std::uint64_t i = 0; i < count; ++i) sizes.push_back(cores * (i + 1) / count - cores * i / count);
  return sizes;
}

/// Returns the sizes of the groups that hold the first cores.
std::vector<std::uint64_t> first_sizes(const std::vector<std::uint64_t>& sizes, std::uint64_t cores) {
  std::vector<std::uint64_t> first;
  for (const std::uint64_t size : sizes) {
    if (cores == 0) break;
    first.push_back(std::min(size, cores));
    cores -= first.back();
  }
  return first;
}

/// Writes the sizes into a level: a number of groups if they are equal, else a list.
void set_sizes(YamlNode& level, const std::vector<std::uint64_t>& sizes) {
  const YamlNode* const name = level.find("name");
  YamlNode value;
  value.mark = name != nullptr ? name->mark : level.mark;
  std::erase_if(level.entries, [](const YamlEntry& entry) { return entry.key == "count" || entry.key == "sizes"; });
  if (std::adjacent_find(sizes.begin(), sizes.end(), std::not_equal_to<>()) == sizes.end()) {
    value.text = std::to_string(sizes.size());
    level.set("count", value.mark, value);
    return;
  }
  YamlNode list = value;
  list.kind = YamlNode::Kind::sequence;
  for (const std::uint64_t size : sizes) {
    value.text = std::to_string(size);
    list.items.push_back(value);
  }
  level.set("sizes", list.mark, list);
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

std::string keep_first_groups(YamlNode& base, const YamlNode& over) {
  const auto cores = number_at(over, "cores");
  auto cores_above = number_at(base, "cores");
  YamlNode* levels = base.find("core_groups");
  if (!cores || *cores == 0 || !cores_above || *cores >= *cores_above || levels == nullptr) return {};
  if (over.find("core_groups") != nullptr) return {};
  const bool is_dealt = value_at(base, {"dispatch", "partition"}) != nullptr;
  for (std::size_t i = 0; i < levels->items.size(); ++i) {
    YamlNode& level = levels->items[i];
    const std::vector<std::uint64_t> sizes = sizes_of(level, *cores_above);
    if (sizes.empty() || (is_dealt && sizes.size() <= *cores)) return {};
    const std::vector<std::uint64_t> first = first_sizes(sizes, *cores);
    const std::uint64_t whole = sizes[first.size() - 1];
    const bool has_groups_within = i + 1 < levels->items.size();
    if (first.size() > 1 && has_groups_within && first.back() != whole)
      return fmt::format("is {}, which cuts a {} of {} cores that has groups within; give `core_groups`, or {}", *cores,
                         text_at(level, {"name"}), whole, *cores - first.back());
    set_sizes(level, first);
    if (first.size() > 1) return {};
    cores_above = whole;
  }
  return {};
}

}  // namespace gdsim
