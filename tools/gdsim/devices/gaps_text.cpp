#include "devices/gaps_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace gdsim::cli {
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
