#include <gdsim/device/core_blocks.hpp>

#include <gdsim/base/check.hpp>

#include <algorithm>

namespace gdsim {

std::vector<std::size_t> group_bounds(const CoreGroupLevel& level, std::size_t first, std::size_t last) {
  std::vector<std::size_t> bounds{first};
  for (const std::uint32_t size : level.sizes) bounds.push_back(std::min(bounds.back() + size, last));
  if (!level.sizes.empty()) return bounds;
  for (std::size_t i = 1; i <= level.count; ++i) bounds.push_back(first + (last - first) * i / level.count);
  return bounds;
}

std::optional<std::vector<CoreBlock>> groups_of_level(const DeviceSpec& device, const std::string& name) {
  const bool only_level = name == "core_group";
  if (only_level && device.core_groups.size() != 1) return std::nullopt;
  std::vector<CoreBlock> groups{{0, device.cores, device.core_groups}};
  for (const CoreGroupLevel& level : device.core_groups) {
    std::vector<CoreBlock> blocks;
    for (const CoreBlock& group : groups) {
      const CoreGroups inside(group.groups.begin() + 1, group.groups.end());
      const std::vector<std::size_t> bounds = group_bounds(level, group.first, group.last);
      for (std::size_t i = 0; i + 1 < bounds.size(); ++i)
        if (bounds[i] < bounds[i + 1]) blocks.push_back({bounds[i], bounds[i + 1], inside});
    }
    groups = std::move(blocks);
    if (only_level || level.name == name) return groups;
  }
  return std::nullopt;
}

std::vector<CoreGroup> all_core_groups(const DeviceSpec& device) {
  std::vector<CoreGroup> all;
  for (const CoreGroupLevel& level : device.core_groups) {
    const auto groups = groups_of_level(device, level.name);
    GDSIM_CHECK(groups, "a level of the device is not found by its name");
    for (std::size_t number = 0; number < groups->size(); ++number)
      all.push_back({level.name, number, (*groups)[number].first, (*groups)[number].last});
  }
  return all;
}

std::optional<std::vector<CoreBlock>> core_blocks(const DeviceSpec& device, const std::string& scope) {
  if (scope == "device") return std::vector<CoreBlock>{{0, device.cores, device.core_groups}};
  if (scope != "core") return groups_of_level(device, scope);
  std::vector<CoreBlock> cores;
  for (std::size_t core = 0; core < device.cores; ++core) cores.push_back({core, core + 1, {}});
  return cores;
}

}  // namespace gdsim
