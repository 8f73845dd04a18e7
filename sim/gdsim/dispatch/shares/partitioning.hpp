#pragma once

#include <gdsim/base/containers.hpp>
#include <gdsim/base/ids.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/fit/core.hpp>
#include <gdsim/workload/kernel.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace gdsim {

/// Returns the admission of a kernel under the device's rule: `spread` applies only to kernels not bound to one core.
inline Admission admission_for(const Kernel& kernel, Admission admission) {
  return admission == Admission::spread && binds_to_core(kernel) ? Admission::whole : admission;
}

/// A partially placed work-group. Its remaining threads must go to its core or, if it is spread, to any core.
struct PartialGroup {
  LaunchId launch{};
  WorkGroupId work_group{};
  std::uint32_t group_threads = 0;
  std::uint32_t remaining = 0;
  bool holds_port = false;
  CoreId first_core{};  ///< core of its first threads; undefined for a spread work-group without threads on a core
};

/// The partially placed work-groups of one dispatcher: at most one on each core, and at most one that is spread.
class PartialGroups {
 public:
  /// For `cores` cores, from `first` on.
  PartialGroups(std::size_t first, std::size_t cores) : first_(first), by_core_(cores), spread_cores_(cores) {}

  bool contains(std::size_t core) const { return by_core_[core - first_].has_value(); }
  std::optional<PartialGroup>& group_on(std::size_t core) { return by_core_[core - first_]; }
  const std::optional<PartialGroup>& group_on(std::size_t core) const { return by_core_[core - first_]; }
  /// Return the spread work-group with remaining threads, or nullopt if there is none.
  std::optional<PartialGroup>& spread() { return spread_; }
  const std::optional<PartialGroup>& spread() const { return spread_; }
  bool is_spread_on(std::size_t core) const { return spread_cores_.contains(core - first_); }
  void spread_onto(std::size_t core) { spread_cores_.insert(core - first_); }
  /// Removes the spread work-group, which must be placed, and returns the cores that hold threads of it.
  std::vector<CoreId> close_spread() {
    std::vector<CoreId> cores;
    for (auto core = spread_cores_.next(0); core; core = spread_cores_.next(*core + 1)) {
      cores.push_back(static_cast<CoreId>(first_ + *core));
      spread_cores_.erase(*core);
    }
    spread_.reset();
    return cores;
  }

 private:
  std::size_t first_;
  std::vector<std::optional<PartialGroup>> by_core_;
  std::optional<PartialGroup> spread_;
  IndexSet spread_cores_;
};

/// The cores that each launch may use. Launches with equal selections share one set.
class CoreSelections {
 public:
  CoreSelections(const Workload& workload, std::size_t cores);

  bool allows(LaunchId launch, CoreId core) const { return sets_[number_of(launch)].contains(index_of(core)); }
  /// Returns the allowed cores.
  const IndexSet& cores_of(LaunchId launch) const { return sets_[number_of(launch)]; }
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
