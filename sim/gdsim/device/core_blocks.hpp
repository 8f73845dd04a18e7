#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/device/device_spec.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

// Rule, to the picosecond: levels of groups.
//
// `core_groups` cuts the n cores of each group of the level above into `count` groups, at floor(i x n / count), or
// into groups of the `sizes` that it lists, which must add up to n.

namespace gdsim {

/// The cores of one dispatcher, group or scope, which are consecutive: `first` to `last` - 1. `groups` are the levels
/// of groups inside of them.
struct CoreBlock {
  std::size_t first = 0;
  std::size_t last = 0;
  CoreGroups groups;

  std::size_t count() const { return last - first; }
  bool contains(CoreId core) const { return first <= index_of(core) && index_of(core) < last; }
};

/// Returns the first core of each group of a level among the cores `first` to `last` - 1, and then `last`.
std::vector<std::size_t> group_bounds(const CoreGroupLevel& level, std::size_t first, std::size_t last);

/// Returns the groups of the level with this name, in rising order of cores. The name `core_group` stands for the only
/// level of a device. Returns nullopt if the device has no such level, or several for `core_group`.
std::optional<std::vector<CoreBlock>> groups_of_level(const DeviceSpec& device, const std::string& name);

/// One group of one level, with its place among all groups of that level.
struct CoreGroup {
  std::string level;       ///< its name: `gpc`
  std::size_t number = 0;  ///< within the device, from 0
  std::size_t first = 0;   ///< its cores: `first` to `last` - 1
  std::size_t last = 0;

  std::size_t cores() const { return last - first; }
};

/// Returns every group of every level, from the outermost level inwards; none on a device without groups.
std::vector<CoreGroup> all_core_groups(const DeviceSpec& device);

/// Returns the cores of each dispatcher or scope. `scope` is what the device model says: `device`, `core`, or a name as
/// for groups_of_level(). Returns nullopt where groups_of_level() does.
std::optional<std::vector<CoreBlock>> core_blocks(const DeviceSpec& device, const std::string& scope);

}  // namespace gdsim
