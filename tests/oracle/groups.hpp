#pragma once

#include "oracle/world.hpp"

// Groups of cores, and their work-groups.
//
// A level of core_groups cuts the n cores of each group of the level above into groups of the sizes that it lists, or
// at floor(i x n / count). A partition deals out the work-groups of a launch to those groups of its level that have a
// core on which the launch may be: `contiguous` in stretches, `cyclic` by number mod groups. Clusters are dealt out as
// a whole. A core takes the next work-group of its group.

namespace gdsim::oracle {

/// Cores first, ..., end - 1.
struct CoreSpan {
  std::size_t first = 0;
  std::size_t end = 0;
};

/// The groups of a level among the cores of one group of the level above.
std::vector<CoreSpan> cut(const CoreGroupLevel& level, CoreSpan span);
/// All groups of the level of this name, or of the only one for `core_group`.
std::vector<CoreSpan> groups_called(const DeviceSpec& device, const std::string& name);

/// The cores on which the other work-groups of a cluster of this size may be if one is on this core: those of its group
/// of the level that the device names, that belong to the same dispatcher and the same partition of the launch, and
/// that it may use.
std::vector<std::size_t> cores_of_cluster(const World& world, const DispatcherState& dispatcher, std::size_t launch,
                                          std::size_t core, std::uint64_t cluster);

/// Returns the number of the launch's work-group that the core would take next; nullopt if none is left for it.
std::optional<std::uint64_t> next_number(const World& world, std::size_t launch, std::size_t core);

}  // namespace gdsim::oracle
