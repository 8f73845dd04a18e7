#include <gdsim/import/warp_steps.hpp>

#include <fmt/format.h>

namespace gdsim {

std::string lines_between(std::uint32_t first, std::uint32_t last) {
  return first == last ? fmt::format("line {}", first) : fmt::format("lines {}-{}", first, last);
}

void add_step(YamlValue& steps, std::string key, YamlValue value, std::string remark) {
  steps.item(YamlValue().entry(std::move(key), std::move(value), std::move(remark)));
}

void add_only(std::vector<std::uint32_t> warps, YamlValue body, YamlValue& steps) {
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

}  // namespace gdsim
