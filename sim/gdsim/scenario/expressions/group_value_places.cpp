#include <gdsim/scenario/expressions/group_value_places.hpp>

#include <gdsim/yaml/yaml_values.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace gdsim {
namespace {

/// `is_amount`: the node stands where a count or an amount does.
void mark_below(YamlNode& node, bool is_amount, const std::function<bool(const YamlNode&)>& uses_group,
                std::vector<YamlNode*>& found) {
  constexpr std::array<std::string_view, 6> amounts{"count", "compute", "memory", "bytes", "accesses", "outstanding"};
  if (is_amount && node.is_scalar() && uses_group(node)) mark_group_value(node, found);
  for (YamlNode& item : node.items) mark_below(item, false, uses_group, found);
  for (YamlEntry& entry : node.entries) {
    if (entry.key == "issue" && entry.value.is_mapping()) {
      for (YamlEntry& kind : entry.value.entries) mark_below(kind.value, true, uses_group, found);
      continue;
    }
    const bool is_one = std::find(amounts.begin(), amounts.end(), entry.key) != amounts.end();
    mark_below(entry.value, is_one || entry.key == "issue", uses_group, found);
  }
}

std::optional<Extent> extent_in(const YamlNode& kernel, std::string_view key) {
  const YamlNode* node = kernel.find(key);
  if (node == nullptr) return std::nullopt;
  Diagnostics ignored;
  const ValueReader values(ignored);
  std::vector<std::uint64_t> sizes;
  for (const YamlNode& item :
       node->is_sequence() ? std::span<const YamlNode>(node->items) : std::span<const YamlNode>(node, 1)) {
    const auto size = values.whole(item, key, 1);
    if (!size) return std::nullopt;
    sizes.push_back(*size);
  }
  return extent_of(sizes);
}

}  // namespace

void mark_group_value(YamlNode& node, std::vector<YamlNode*>& found) {
  found.push_back(&node);
  node.group_value = static_cast<std::uint32_t>(found.size());
}

void mark_group_values(YamlNode& program, const std::function<bool(const YamlNode&)>& uses_group,
                       std::vector<YamlNode*>& found) {
  mark_below(program, false, uses_group, found);
}

std::optional<NdRange> written_range(const YamlNode& kernel) {
  const auto global = extent_in(kernel, "global");
  const auto local = extent_in(kernel, "local");
  if (!global || !local) return std::nullopt;
  const NdRange range{*global, *local};
  return range.is_countable() ? std::optional(range) : std::nullopt;
}

}  // namespace gdsim
