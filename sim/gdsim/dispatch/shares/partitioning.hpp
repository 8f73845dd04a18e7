#pragma once

#include <gdsim/base/containers.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gdsim {

/// The cores that each launch may use. Launches with equal selections share one set.
class CoreSelections {
 public:
  CoreSelections(const Workload& workload, std::size_t cores);

  bool allows(LaunchId launch, CoreId core) const { return sets_[number_of(launch)].contains(index_of(core)); }
  /// Returns the allowed cores.
  const IndexSet& of(LaunchId launch) const { return sets_[number_of(launch)]; }
  /// Returns a number that is equal for launches with equal selections; it is below count().
  std::uint32_t number_of(LaunchId launch) const { return numbers_[index_of(launch)]; }
  /// Returns the number of different selections, with that of copies, which use no core.
  std::size_t count() const { return sets_.size(); }
  /// Returns the number of cores of the device.
  std::size_t core_count() const { return core_count_; }
  /// Returns true if all launches may use the same cores.
  bool are_all_equal() const { return selection_count_ <= 1; }

 private:
  std::size_t core_count_;
  std::size_t selection_count_ = 0;     ///< without that of copies
  std::vector<std::uint32_t> numbers_;  ///< by launch
  std::vector<IndexSet> sets_;
};

// Rule, to the picosecond: partition.
//
// A launch has N work-groups, numbered row-major. The level `across` has G groups with a core on which the launch may
// be. Group g gets the numbers floor(g N / G) to floor((g + 1) N / G) - 1 (`contiguous`), or those with number mod G =
// g (`cyclic`). A core takes the next number of its group, so the core that the placement chooses decides which
// work-group is placed. Cores whose group has none left are no candidates; a launch is refused in a visit when no core
// of the dispatcher is a candidate. For `batch`, "left" counts all groups. A spread work-group is refused with a
// partition.

/// The assignment of a launch's work-groups to cores (PartitionRule): each group of cores that the launch may use gets
/// a partition of them. Clusters are not divided. Without a rule, a launch has one partition, of all cores.
class Partitioning {
 public:
  Partitioning() = default;
  /// The selections must outlive this.
  Partitioning(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload,
               const CoreSelections& selections);

  bool is_on() const { return selections_ != nullptr; }
  std::size_t partition_count(LaunchId launch) const {
    return is_on() ? dealings_[selections_->number_of(launch)].partitions : 1;
  }
  /// Returns the partition of the launch's work-groups that the core takes. The launch must be allowed on this core.
  std::size_t partition_of(LaunchId launch, CoreId core) const {
    return is_on() ? dealings_[selections_->number_of(launch)].partition_of_core[index_of(core)] : 0;
  }

  /// Returns the cores that take the partition, in ascending order. There must be a rule.
  std::span<const CoreId> cores_of(LaunchId launch, std::size_t partition) const {
    return dealings_[selections_->number_of(launch)].cores_of_partition[partition];
  }

  /// Returns the number of the partition's first work-group, which an empty partition has, too.
  std::uint64_t first(LaunchId launch, std::size_t partition) const;
  /// Returns the number of the next work-group of the same partition.
  std::uint64_t next(LaunchId launch, std::uint64_t number) const;
  /// Returns the number of the partition's work-groups from `number` on. `number` must be one of the partition, or past
  /// its last.
  std::uint64_t left(LaunchId launch, std::size_t partition, std::uint64_t number) const;

 private:
  /// The assignment for one selection of cores.
  struct Dealing {
    std::size_t partitions = 0;
    std::vector<std::uint32_t> partition_of_core;
    FlatLists<CoreId> cores_of_partition;
  };
  /// The units in which the work-groups of one launch are assigned.
  struct Units {
    std::uint64_t count = 0;  ///< number of clusters, or of work-groups without clusters
    std::uint64_t size = 1;   ///< number of work-groups of each
  };
  std::uint64_t first_unit(LaunchId launch, std::size_t partition) const;

  const CoreSelections* selections_ = nullptr;  ///< null without a rule
  PartitionShare share_ = PartitionShare::contiguous;
  std::vector<Dealing> dealings_;  ///< by number of the selection
  std::vector<Units> units_;       ///< by launch
};

}  // namespace gdsim
