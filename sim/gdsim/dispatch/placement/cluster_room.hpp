#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/device/core_blocks.hpp>
#include <gdsim/device/device_spec.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

// Rule, to the picosecond: clusters.
//
// The N work-groups of a cluster are consecutive, and are placed in one go, which counts as one work-group for kernel
// choice. They lie on N distinct cores of one group of the level `within`, of one dispatcher, and of one partition.
// Candidates are the cores where one work-group fits, if at least N such cores are together. The placement chooses
// among the candidates for the first work-group, then, for each further one, among those cores of the same group,
// partition and dispatcher where it fits and which have no other work-group of this cluster. The dispatcher is busy N
// times as long as with one work-group. A cluster ends a `batch` and has none. A partition deals out clusters: N and
// the numbers above count them.
//
// A kernel may prefer clusters of P work-groups, a multiple of N. Numbers kP to (k + 1)P - 1 are placed as one cluster
// of P if, when number kP is next, the dispatcher has room for it, by the rule above with P instead of N. Otherwise N
// of them are placed as above, and so are the rest of these P.

namespace gdsim {

/// The cores where a requested work-group fits, and their number in each group of cores on which a cluster may be. Such
/// a group is within one group of the device's level for clusters, one dispatcher and, where launches are partitioned,
/// one partition.
class ClusterRoom {
 public:
  /// For the cores of one dispatcher.
  ClusterRoom(const DeviceSpec& device, const DispatchRules& rules, const CoreBlock& cores);

  /// Returns true if the device has clusters.
  bool is_on() const { return !groups_.empty(); }
  /// Sets whether a work-group fits on the core. Returns true if this changes can_take() of its group.
  bool set(CoreId core, bool has_room, std::uint64_t size);
  bool has_room(CoreId core) const { return has_room_[index_of(core) - first_]; }
  /// Returns true if a cluster of `size` work-groups fits on the cores together() with this one.
  bool can_take(CoreId core, std::uint64_t size) const { return counts_[group_of(core)] >= size; }
  /// Returns the cores on which the work-groups of a cluster may be if one is on this core, which is included.
  std::span<const CoreId> together(CoreId core) const { return groups_[group_of(core)]; }

 private:
  std::size_t group_of(CoreId core) const { return groups_of_[index_of(core) - first_]; }

  std::size_t first_;
  std::vector<std::uint32_t> groups_of_;  ///< by core
  std::vector<std::vector<CoreId>> groups_;
  std::vector<bool> has_room_;         ///< by core
  std::vector<std::uint64_t> counts_;  ///< by group: its cores with room
};

}  // namespace gdsim
