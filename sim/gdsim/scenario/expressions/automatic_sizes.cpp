#include <gdsim/scenario/expressions/automatic_sizes.hpp>

#include <gdsim/scenario/expressions/group_value_places.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
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

YamlNode number_at(const YamlNode& place, std::uint64_t number) {
  YamlNode node = place;
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
  const YamlNode place = local;
  local.is_chosen = true;
  if (global == nullptr || !global->is_sequence()) {
    local.text = std::to_string(sizes.front());
    local.is_computed = true;
    return;
  }
  local.kind = YamlNode::Kind::sequence;
  local.text.clear();
  for (const std::uint64_t size : sizes) local.items.push_back(number_at(place, size));
}

void choose_sub_group(YamlNode& sub_group, const YamlNode* local, const DeviceSpec* device) {
  const std::uint64_t items = (local != nullptr ? written_work_items(*local) : std::nullopt).value_or(1);
  std::uint64_t chosen = 1;
  if (device != nullptr && !device->sub_group_sizes.empty()) {
    const auto& sizes = device->sub_group_sizes;
    chosen = *std::min_element(sizes.begin(), sizes.end());
    for (const std::uint64_t size : sizes)
      if (size > chosen && items % size == 0) chosen = size;
  }
  sub_group = number_at(sub_group, chosen);
  sub_group.is_chosen = true;
}

}  // namespace

bool has_automatic_sizes(const YamlNode& kernel) {
  const YamlNode* sub_group = kernel.find("sub_group");
  return kernel.is_mapping() && (is_auto(kernel.find("local")) || sub_group == nullptr || is_auto(sub_group));
}

void choose_sizes(YamlNode& kernel, const DeviceSpec* device) {
  if (kernel.find("sub_group") == nullptr && device != nullptr && device->sub_group_sizes.size() == 1) {
    YamlNode place;
    place.mark = kernel.mark;
    kernel.entries.push_back({"sub_group", kernel.mark, number_at(place, device->sub_group_sizes.front())});
  }
  if (YamlNode* local = kernel.find("local"); is_auto(local))
    choose_local(*local, kernel.find("global"), device != nullptr ? max_items(*device, kernel.find("sub_group")) : 1);
  if (YamlNode* sub_group = kernel.find("sub_group"); is_auto(sub_group))
    choose_sub_group(*sub_group, kernel.find("local"), device);
}

}  // namespace gdsim
