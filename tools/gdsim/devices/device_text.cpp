#include "devices/device_text.hpp"

#include <gdsim/base/keys.hpp>
#include <gdsim/scenario/device/models.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string_view>
#include <utility>

namespace gdsim::cli {
namespace {

std::string row(const DeviceSpec& device) {
  const bool is_family = device.kind == DeviceKind::family;
  const std::string name = (is_family ? "" : "  ") + device.id;
  return fmt::format("  {:<21} {:>5}  {:>8}  {:>9}  {:>8}  {}\n", name, is_family ? "-" : std::to_string(device.cores),
                     device.contexts_per_core(), is_family ? "-" : std::to_string(device.contexts_total()),
                     to_text(device.slm.per_core), device.name);
}

/// Returns true if `a` comes before `b`. Numbers compare by value, also hexadecimal ones that begin with a digit: gen9
/// before gen11, cc-8.9 before cc-10.0, gfx908 before gfx90a before gfx1030.
bool comes_before(const std::string& a, const std::string& b) {
  std::size_t i = 0;
  std::size_t j = 0;
  const auto is_digit = [](char letter) { return letter >= '0' && letter <= '9'; };
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      const auto number = [&](const std::string& text, std::size_t& at) {
        const std::size_t begin = std::min(text.find_first_not_of('0', at), text.size());
        for (at = begin; at < text.size() && (is_digit(text[at]) || (text[at] >= 'a' && text[at] <= 'f'));) ++at;
        return std::pair(at - begin, text.substr(begin, at - begin));
      };
      const auto first = number(a, i);
      const auto second = number(b, j);
      if (first != second) return first < second;
    } else if (a[i] != b[j]) {
      return a[i] < b[j];
    } else {
      ++i;
      ++j;
    }
  }
  return i == a.size() && j < b.size();
}

/// Returns `text` in lines of at most `width` columns, each after six spaces.
std::string wrapped(const std::string& text, std::size_t width) {
  constexpr std::size_t indent = 6;
  std::string lines;
  std::size_t column = width;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (column + 1 + word.size() > width) {
      lines += (lines.empty() ? "" : "\n") + std::string(indent, ' ') + word;
      column = indent + word.size();
    } else {
      lines += " " + word;
      column += 1 + word.size();
    }
    at = end + 1;
  }
  return lines + "\n";
}

/// Returns the path up to the key of a source: `dispatch.batch` in `dispatch.batch.work_groups` for `batch`.
std::string path_of_source(const std::string& key, const ModelLeaf& leaf) {
  if (is_at_or_below(leaf.path, key)) return leaf.path.substr(0, key.size());
  std::size_t begin = 0;
  while (begin < leaf.path.size() && !is_at_or_below(std::string_view(leaf.path).substr(begin), key))
    begin = std::min(leaf.path.find('.', begin), leaf.path.size() - 1) + 1;
  return begin < leaf.path.size() ? leaf.path.substr(0, begin + key.size()) : leaf.path;
}

/// Returns the lines below a key: its source, then the sources of values within it, each with its path. They also list
/// values without a source.
std::string sources_text(const std::string& key, const YamlNode& tree, const std::vector<ModelLeaf>& leaves) {
  constexpr std::size_t width = 110;
  const YamlNode* sources = tree.find("sources");
  const YamlNode* whole = sources != nullptr ? sources->find(key) : nullptr;
  std::string text = whole != nullptr ? wrapped(figure_source(*whole).text, width) : "";
  std::set<std::string> shown{key};
  for (const ModelLeaf& leaf : leaves) {
    if (!is_at_or_below(leaf.path, key)) continue;
    const YamlEntry* source = source_of(tree, leaf);
    if (source == nullptr) {
      text += (leaf.path == key ? "" : "    " + leaf.path + ": " + flow_text(*leaf.value) + "\n") + "      no source\n";
      continue;
    }
    const std::string path = path_of_source(source->key, leaf);
    if (source->key == key || !shown.insert(path).second) continue;
    text += "    " + path + (path == leaf.path ? ": " + flow_text(*leaf.value) : "") + "\n";
    text += wrapped(figure_source(source->value).text, width);
  }
  return text;
}

}  // namespace

std::string device_list(std::vector<DeviceSpec> devices, const std::map<std::string, std::string>& family_of) {
  const auto family = [&](const DeviceSpec& device) {
    const auto found = family_of.find(device.id);
    return found != family_of.end() ? found->second : device.id;
  };
  std::stable_sort(devices.begin(), devices.end(), [&](const DeviceSpec& a, const DeviceSpec& b) {
    if (a.vendor != b.vendor) return a.vendor < b.vendor;
    if (family(a) != family(b)) return comes_before(family(a), family(b));
    if (a.kind != b.kind) return a.kind == DeviceKind::family;
    return comes_before(a.id, b.id);
  });
  std::string text;
  const DeviceSpec* before = nullptr;
  for (const DeviceSpec& device : devices) {
    if (before == nullptr || before->vendor != device.vendor) {
      text += fmt::format("{}{}\n  {:<21} {:>5}  {:>8}  {:>9}  {:>8}\n", text.empty() ? "" : "\n", device.vendor,
                          "family, product", "cores", "contexts", "contexts", "SLM per");
      text += fmt::format("  {:<21} {:>5}  {:>8}  {:>9}  {:>8}\n", "", "", "per core", "in all", "core");
    }
    text += row(device);
    before = &device;
  }
  return text;
}

std::string device_text(const DeviceSpec& device, const YamlNode& tree) {
  std::string text = fmt::format("{}: {}, {} contexts\n\n", device.name,
                                 fmt::format("{} {}{}", device.cores, device.terms.core, device.cores == 1 ? "" : "s"),
                                 device.contexts_total());
  if (!device.sub_group_sizes.empty())
    text.insert(text.size() - 1,
                fmt::format("preferred multiple of `local`: {}\n", fmt::join(device.sub_group_sizes, " or ")));
  const std::vector<ModelLeaf> leaves = model_leaves(tree);
  for (const std::string_view key : keys::kDevice)
    if (const YamlNode* value = tree.find(key); value != nullptr && key != "sources")
      text += std::string(key) + ": " + flow_text(*value) + "\n" + sources_text(std::string(key), tree, leaves);
  return text;
}

/// The kind of evidence that says nothing about times.
constexpr std::string_view kLimits = "work-groups per core";

std::string trust_text(const CsvDocument& accuracy, CsvCells& cells, const std::set<std::string>& models) {
  std::string rows;
  bool has_times = false;
  for (const CsvRow& row : accuracy.rows) {
    const auto text = [&](std::string_view name) { return cells.text(row, cells.find(name)); };
    if (!models.contains(text("model"))) continue;
    has_times = has_times || (text("rows") != "0" && text("evidence") != kLimits);
    const std::string pairs = text("pairs");
    const bool is_ranked = !pairs.empty() && pairs != "0";
    const std::string ranked = is_ranked ? text("pairs_right") + " of " + pairs : "-";
    rows += fmt::format("  {:<9} {:<43} {:>5} {:>7} {:>8} {:>7} {:>7} {:>7} {:>12}  {}\n", text("model"),
                        text("evidence"), text("rows"), text("not_predicted"), text("left_out"), text("mean_error"),
                        text("median_error"), text("factor"), ranked, text("fitted"));
  }
  const std::string title = "\nHow far to trust this model\n";
  if (rows.empty())
    return title + "  Nothing that was measured on this GPU, or documented of it, was compared with it.\n";
  return title +
         fmt::format("  {:<9} {:<43} {:>5} {:>7} {:>8} {:>7} {:>7} {:>7} {:>12}  {}\n", "model", "compared with",
                     "rows", "missing", "left out", "mean %", "median", "factor", "pairs right", "fitted") +
         rows + (has_times ? "" : "  No time that was measured on this GPU was compared.\n") +
         "  Errors are in percent of what was measured, for rows that have a prediction; `missing` counts the others.\n"
         "  `left out`: rows to which the model was fitted, or that were known before. `fitted`: the sources of the\n"
         "  model name these measurements, so that they test it less.\n";
}

namespace {

constexpr std::size_t kMaxLines = 5;  ///< examples of one key

/// What one key of a model lacks.
struct GapGroup {
  std::string key;
  std::vector<std::string> inner;  ///< paths below the key; empty if the key itself is missing
  std::vector<std::string> costs;  ///< without duplicates
  std::vector<std::string> lines;  ///< without duplicates
};

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
  return fmt::format("{}", fmt::join(parts, between));
}

void add_once(std::vector<std::string>& texts, const std::string& text) {
  if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
}

/// Returns the gaps grouped by their key, in the order of each key's first gap.
std::vector<GapGroup> grouped(const std::vector<ModelGap>& gaps) {
  std::vector<GapGroup> groups;
  for (const ModelGap& gap : gaps) {
    const std::size_t dot = gap.key.find('.');
    const std::string key = gap.key.substr(0, dot);
    auto group = std::find_if(groups.begin(), groups.end(), [&](const GapGroup& one) { return one.key == key; });
    if (group == groups.end()) group = groups.insert(groups.end(), GapGroup{key, {}, {}, {}});
    if (dot != std::string::npos) group->inner.push_back(gap.key.substr(dot + 1));
    add_once(group->costs, gap.cost);
    add_once(group->lines, gap.line);
  }
  return groups;
}

/// Returns `atomics (slm, global)`, or the path of the gap if there is only one.
std::string title(const GapGroup& group) {
  if (group.inner.empty()) return group.key;
  if (group.inner.size() == 1) return group.key + "." + group.inner.front();
  return group.key + " (" + joined(group.inner, ", ") + ")";
}

std::string examples(const GapGroup& group) {
  if (group.lines.size() <= kMaxLines) return joined(group.lines, ", ");
  return joined({group.lines.begin(), group.lines.begin() + kMaxLines}, ", ") + ", ...";
}

}  // namespace

std::string gaps_text(const DeviceSpec& device, const std::vector<ModelGap>& gaps, const SourceCount& sources) {
  std::string text =
      device.id + ": " +
      (gaps.empty() ? "nothing is missing"
                    : fmt::format("{} thing{} missing", gaps.size(), gaps.size() == 1 ? " is" : "s are")) +
      fmt::format("; {} of {} values are not verified\n", sources.not_verified, sources.values);
  for (const GapGroup& group : grouped(gaps))
    text += fmt::format("\n{}: {}\n  as in: {}\n", title(group), joined(group.costs, "; "), examples(group));
  return text;
}

}  // namespace gdsim::cli
