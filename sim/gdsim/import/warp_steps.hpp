#pragma once

#include <gdsim/yaml/yaml_value.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gdsim {

/// `total / per`, halves up.
inline std::uint64_t mean_share(std::uint64_t total, std::uint64_t per) {
  return per == 0 ? 0 : (total + per / 2) / per;
}

/// The mean, but at least 1 if `total` is not 0.
inline std::uint64_t mean_of_some(std::uint64_t total, std::uint64_t per) {
  return total == 0 ? 0 : std::max<std::uint64_t>(1, mean_share(total, per));
}

/// Warps of a work-group that do the same, as far as control flow and requests show.
template <class Counts>
struct WarpClass {
  Counts counts;                     ///< of all of them together
  std::vector<std::uint32_t> warps;  ///< ascending
};

/// Classes in the order of their first warps. `key_of` returns the counts in which warps of different classes differ.
template <class Counts, class KeyOf>
std::vector<WarpClass<Counts>> classes_by(const std::vector<Counts>& by_warp, const KeyOf& key_of) {
  std::vector<WarpClass<Counts>> classes;
  std::map<std::vector<std::uint64_t>, std::size_t> known;
  for (std::uint32_t warp = 0; warp < by_warp.size(); ++warp) {
    const auto [at, is_new] = known.try_emplace(key_of(by_warp[warp]), classes.size());
    if (is_new) classes.push_back({by_warp[warp], {}});
    if (!is_new) classes[at->second].counts.add(by_warp[warp]);
    classes[at->second].warps.push_back(warp);
  }
  return classes;
}

/// `line 12`, or `lines 12-30`.
inline std::string lines_between(std::uint32_t first, std::uint32_t last) {
  return first == last ? fmt::format("line {}", first) : fmt::format("lines {}-{}", first, last);
}

/// Adds a step, with a remark.
inline void add_step(YamlValue& steps, std::string key, YamlValue value, std::string remark = {}) {
  steps.item(YamlValue().entry(std::move(key), std::move(value), std::move(remark)));
}

/// Adds a step `only`, unless its body is empty: its threads are `0-3`, or `[0, 2-5]`.
inline void add_only(std::vector<std::uint32_t> warps, YamlValue body, YamlValue& steps) {
  if (body.is_empty()) return;
  std::sort(warps.begin(), warps.end());
  std::vector<YamlValue> ranges;
  for (std::size_t i = 0; i < warps.size();) {
    std::size_t last = i;
    while (last + 1 < warps.size() && warps[last + 1] == warps[last] + 1) ++last;
    ranges.push_back(
        YamlValue::word(i == last ? std::to_string(warps[i]) : fmt::format("{}-{}", warps[i], warps[last])));
    i = last + 1;
  }
  YamlValue threads = ranges.size() == 1 ? ranges.front() : YamlValue::list_in_line(std::move(ranges));
  add_step(steps, "only", YamlValue().entry("threads", std::move(threads)).entry("body", std::move(body)));
}

/// Adds the steps of parts, each of which is the class of number `of`: once if they are the same for all, otherwise for
/// the warps of each part. None are pending then.
template <class Counts, class Part>
void add_parts(const std::vector<WarpClass<Counts>>& classes, const std::vector<Part>& parts,
               std::vector<YamlValue>& pending, YamlValue& steps) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const YamlValue body = std::exchange(pending[i], {});
    if (body.is_empty()) continue;
    std::vector<std::uint32_t> warps = classes[parts[i].of].warps;
    std::size_t equal = 1;
    for (std::size_t j = i + 1; j < parts.size(); ++j) {
      if (pending[j] != body) continue;
      ++equal;
      pending[j] = {};
      warps.insert(warps.end(), classes[parts[j].of].warps.begin(), classes[parts[j].of].warps.end());
    }
    if (equal < parts.size()) add_only(std::move(warps), body, steps);
    if (equal == parts.size()) steps.append(body);
  }
}

}  // namespace gdsim
