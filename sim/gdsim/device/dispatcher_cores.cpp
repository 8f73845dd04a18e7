#include <gdsim/device/dispatcher_cores.hpp>

#include <algorithm>

namespace gdsim {
namespace {

/// Each group is cut into those of the next level: sizes differ by at most one core.
std::vector<DispatcherCores> split(const std::vector<DispatcherCores>& groups, std::size_t count) {
  std::vector<DispatcherCores> parts;
  for (const DispatcherCores& group : groups) {
    const std::size_t cores = group.count();
    const std::size_t pieces = count == 0 ? cores : count;
    CoreGroups inside = group.groups;
    if (!inside.empty()) inside.erase(inside.begin());
    for (std::size_t i = 0; i < pieces; ++i) {
      DispatcherCores part{group.first + cores * i / pieces, group.first + cores * (i + 1) / pieces, inside};
      if (part.count() > 0) parts.push_back(std::move(part));
    }
  }
  return parts;
}

}  // namespace

std::optional<std::vector<DispatcherCores>> dispatcher_cores(const DeviceSpec& device, const std::string& dispatchers) {
  const DispatcherCores all{0, device.cores, device.core_groups};
  if (dispatchers == "device") return std::vector{all};
  if (dispatchers == "core") return split({{0, device.cores, {}}}, 0);
  const bool only_level = dispatchers == "core_group";
  if (only_level && device.core_groups.size() != 1) return std::nullopt;
  std::vector<DispatcherCores> groups{all};
  for (const CoreGroupLevel& level : device.core_groups) {
    groups = split(groups, level.count);
    if (only_level || level.name == dispatchers) return groups;
  }
  return std::nullopt;
}

}  // namespace gdsim
