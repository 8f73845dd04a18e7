#include <gdsim/scenario/device/read_cores.hpp>

#include <algorithm>

namespace gdsim {
namespace {

/// `3` or `0-2`.
std::optional<CoreRange> read_range(const YamlNode& node, const ValueReader& values) {
  const auto dash = node.is_scalar() ? node.text.find('-') : std::string::npos;
  if (dash == std::string::npos || dash == 0) {
    const auto core = values.whole32(node, "cores (a core, a range as in 0-2, or a list)");
    if (!core) return std::nullopt;
    return CoreRange{CoreId{*core}, CoreId{*core}};
  }
  YamlNode part = node;
  part.style = YamlNode::Style::plain;
  part.text = node.text.substr(0, dash);
  const auto first = values.whole32(part, "cores");
  part.text = node.text.substr(dash + 1);
  const auto last = values.whole32(part, "cores");
  if (!first || !last) return std::nullopt;
  if (*first <= *last) return CoreRange{CoreId{*first}, CoreId{*last}};
  values.fail(node, "cores", "is " + describe(node) + "; a range goes from the lower core to the higher");
  return std::nullopt;
}

bool has_overlap(CoreSelection selection) {
  std::sort(selection.begin(), selection.end());
  return std::adjacent_find(selection.begin(), selection.end(), [](const CoreRange& a, const CoreRange& b) {
           return b.first <= a.last;
         }) != selection.end();
}

}  // namespace

CoreSelection read_cores(const YamlNode& node, const ValueReader& values) {
  CoreSelection selection;
  if (!node.is_sequence()) {
    if (const auto range = read_range(node, values)) selection.push_back(*range);
    return selection;
  }
  if (node.items.empty()) values.fail(node, "cores", "is empty; leave it out to allow every core");
  for (const YamlNode& item : node.items)
    if (const auto range = read_range(item, values)) selection.push_back(*range);
  if (has_overlap(selection)) values.fail(node, "cores", "names a core twice");
  return normalized(std::move(selection));
}

}  // namespace gdsim
