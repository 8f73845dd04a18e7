#include <gdsim/check/check_core_groups.hpp>

#include <gdsim/base/printable.hpp>
#include <gdsim/device/core_blocks.hpp>
#include <gdsim/device/device_limits.hpp>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>

namespace gdsim {
namespace {

/// Returns the sizes, in cores, of the groups of a level within groups of the sizes `above`.
std::set<std::uint64_t> sizes_within(const CoreGroupLevel& level, const std::set<std::uint64_t>& above) {
  if (!level.sizes.empty()) return {level.sizes.begin(), level.sizes.end()};
  std::set<std::uint64_t> sizes;
  for (const std::uint64_t cores : above) {
    sizes.insert(cores / level.count);
    if (cores % level.count != 0) sizes.insert(cores / level.count + 1);
  }
  return sizes;
}

/// Returns the problem of one level, or an empty text.
std::string fault_of(const CoreGroupLevel& level, const std::set<std::uint64_t>& above, bool is_outermost) {
  if (!level.sizes.empty() && level.count > 0) return "give `count`, or `sizes` where groups are unequal, not both";
  if (level.groups() == 0) return "there must be at least one";
  if (level.sizes.empty()) return {};
  std::uint64_t sum = 0;
  for (const std::uint32_t size : level.sizes) {
    if (size == 0) return "a group must have at least 1 core";
    sum += size;
  }
  for (const std::uint64_t cores : above)
    if (cores != sum)
      return "its `sizes` add up to " + std::to_string(sum) + " cores, " +
             (is_outermost ? "the device has " : "a group of the level above has ") + std::to_string(cores) +
             "; as equal groups: `core_groups: [{name: " + level.name +
             ", count: " + std::to_string(level.sizes.size()) + "}]`";
  return {};
}

}  // namespace

std::string known_levels(const DeviceSpec& device, std::string known) {
  const auto add = [&known](const std::string& word) { known += (known.empty() ? "" : ", ") + word; };
  if (device.core_groups.size() == 1) add("core_group");
  for (const CoreGroupLevel& level : device.core_groups) add(level.name);
  return known;
}

Issues check_cluster_rule(const DeviceSpec& device) {
  Issues found;
  if (!device.clusters) return found;
  const ClusterRule& rule = *device.clusters;
  const auto check_max = [&found](const char* field, std::uint64_t max) {
    if (max < 1 || max > device_limits::kCluster)
      found.push_back(
          {field, "is " + std::to_string(max) + "; it must be 1 to " + std::to_string(device_limits::kCluster)});
  };
  check_max("clusters.max", rule.max);
  if (rule.non_portable_max) check_max("clusters.non_portable_max", *rule.non_portable_max);
  if (rule.max_size() < rule.max)
    found.push_back({"clusters.non_portable_max",
                     "is " + std::to_string(rule.max_size()) + ", less than the `max` of " + std::to_string(rule.max)});
  // A family of devices may leave the groups to its products.
  if (device.core_groups.empty() || groups_of_level(device, rule.within)) return found;
  found.push_back(
      {"clusters.within", "is " + in_quotes(rule.within) + "; known on this device: " + known_levels(device, "")});
  return found;
}

Issues check_core_groups(const DeviceSpec& device) {
  Issues found;
  std::uint64_t groups = 1;
  std::set<std::uint64_t> above{device.cores};
  for (std::size_t i = 0; i < device.core_groups.size(); ++i) {
    const CoreGroupLevel& level = device.core_groups[i];
    groups *= std::max<std::uint64_t>(level.groups(), 1);
    std::string fault = fault_of(level, above, i == 0);
    if (fault.empty() && groups > device.cores) fault = "there are more groups than cores";
    if (!fault.empty()) {
      found.push_back({"core_groups", level.name + ": " + fault});
      return found;
    }
    above = sizes_within(level, above);
  }
  return found;
}

}  // namespace gdsim
