#include <gdsim/scenario/expressions/group_value_places.hpp>

#include <gdsim/yaml/yaml_values.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

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

}  // namespace gdsim
