#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/device/dispatcher_cores.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gdsim {

/// How many of the requested work-groups would fit, core by core, and so whether a whole cluster of them would: in one
/// group of the level that the device names for clusters, on cores of one dispatcher and, with a partition, of one
/// part.
class ClusterRoom {
 public:
  /// Of the cores of one dispatcher.
  ClusterRoom(const DeviceSpec& device, const DispatchRules& rules, const DispatcherCores& cores);

  /// Sets how many would fit on the core. True if this changes whether its group can take a cluster of `size`.
  bool set(CoreId core, std::uint64_t capacity, std::uint64_t size);
  std::uint64_t on(CoreId core) const { return capacity_[index_of(core) - first_]; }
  /// A cluster could be placed on the core and those together with it.
  bool can_take(CoreId core, std::uint64_t size) const { return sums_[group_of(core)] >= size; }
  /// The cores on which the work-groups of a cluster may be if one is on this core, which is among them.
  std::span<const CoreId> together(CoreId core) const { return groups_[group_of(core)]; }

 private:
  std::size_t group_of(CoreId core) const { return groups_of_[index_of(core) - first_]; }

  std::size_t first_;                        ///< [constant]
  std::vector<std::uint32_t> groups_of_;     ///< [constant] by core
  std::vector<std::vector<CoreId>> groups_;  ///< [constant]
  std::vector<std::uint64_t> capacity_;      ///< [derived] by core
  std::vector<std::uint64_t> sums_;          ///< [derived] by group
};

}  // namespace gdsim
