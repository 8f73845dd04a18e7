#pragma once

#include <gdsim/dispatch/shares/partitioning.hpp>
#include <gdsim/fit/footprint_table.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace gdsim {

/// The progress of each launch: its next work-group and the footprint of that. In a launch in partitions
/// (Partitioning), each partition has a next work-group.
class LaunchProgress {
 public:
  /// `footprints` must be those of the workload's kernels. Both references must outlive this.
  LaunchProgress(const Workload& workload, const FootprintTable& footprints, Partitioning partitioning = {});

  /// Returns the footprint of a full work-group of the launch's kernel.
  const Footprint& full_footprint(LaunchId launch) const { return footprints_.full(state(launch).kernel); }
  /// Returns a number that is equal for launches, of any kernels, whose full work-groups have the same footprint. These
  /// have the same full_footprint() object.
  std::size_t shape(LaunchId launch) const { return footprints_.shape(state(launch).kernel); }
  /// Returns the footprint of a work-group of `threads` threads of the launch, which is smaller at an edge. Returns the
  /// same object each time.
  const Footprint& footprint(LaunchId launch, std::uint32_t threads) const {
    const Footprint& full = full_footprint(launch);
    return threads == full.threads ? full : footprints_.of(state(launch).kernel, threads);
  }
  /// Returns the footprint of the launch's next work-group; for a launch in partitions, of the first partition that has
  /// one.
  const Footprint& next_footprint(LaunchId launch) const {
    return is_uniform(launch) ? full_footprint(launch) : footprint_of(launch, next_number(launch));
  }
  /// Returns the footprint of the partition's next work-group, or null if the partition has no further one.
  const Footprint* next_footprint(LaunchId launch, std::size_t partition) const {
    if (left(launch, partition) == 0) return nullptr;
    return is_uniform(launch) ? &full_footprint(launch) : &footprint_of(launch, next_number(launch, partition));
  }

  /// Returns true if all work-groups of the launch have the same footprint.
  bool is_uniform(LaunchId launch) const { return !footprints_.has_edges(state(launch).kernel); }

  bool has_next(LaunchId launch) const { return undispatched(launch) > 0; }
  /// Takes the launch's next work-group, in row-major order; for a launch in partitions, the next one of the core's
  /// partition.
  WorkGroupId take_next(LaunchId launch, CoreId core);
  std::uint64_t undispatched(LaunchId launch) const {
    return totals_[index_of(state(launch).kernel)] - state(launch).next;
  }

  /// Returns the number of the launch's work-groups that were taken.
  std::uint64_t dispatched(LaunchId launch) const { return state(launch).next; }
  /// Returns the number of the launch's next work-group; for a launch in partitions, of the first partition that has
  /// one.
  std::uint64_t next_number(LaunchId launch) const {
    return partitioning_.is_on() ? next_number(launch, first_partition(launch)) : state(launch).next;
  }

  bool is_partitioned() const { return partitioning_.is_on(); }
  std::size_t partition_count(LaunchId launch) const { return partitioning_.partition_count(launch); }
  std::size_t partition_of(LaunchId launch, CoreId core) const { return partitioning_.partition_of(launch, core); }
  /// Returns the cores that take the partition, in ascending order. The launch must be in partitions.
  std::span<const CoreId> cores_of(LaunchId launch, std::size_t partition) const {
    return partitioning_.cores_of(launch, partition);
  }
  /// Returns the partition from which a work-group was taken last, or nullopt before the first. The launch must be in
  /// partitions.
  std::optional<std::size_t> last_partition(LaunchId launch) const {
    return state(launch).next == 0 ? std::nullopt : std::optional<std::size_t>(last_partition_[index_of(launch)]);
  }
  /// Returns the number of the partition's next work-group, if it has one.
  std::uint64_t next_number(LaunchId launch, std::size_t partition) const;
  /// Returns the number of undispatched work-groups of the partition.
  std::uint64_t left(LaunchId launch, std::size_t partition) const;

  void open_partial(LaunchId launch) { ++state(launch).partial; }
  void close_partial(LaunchId launch) { --state(launch).partial; }
  /// Returns true if every thread of the launch is placed.
  bool is_fully_placed(LaunchId launch) const { return !has_next(launch) && state(launch).partial == 0; }

 private:
  struct State {
    std::uint64_t next = 0;
    std::uint32_t partial = 0;  ///< number of partially placed work-groups
    KernelId kernel{};          ///< for a copy: one past the last
  };

  State& state(LaunchId launch) { return states_[index_of(launch)]; }
  const State& state(LaunchId launch) const { return states_[index_of(launch)]; }

  const Footprint& footprint_of(LaunchId launch, std::uint64_t number) const {
    const Kernel& kernel = workload_.kernels[index_of(state(launch).kernel)];
    return footprint(launch, static_cast<std::uint32_t>(kernel.threads_of(WorkGroupId{number})));
  }
  /// Returns the first partition that has a further work-group, or the first partition if none has.
  std::size_t first_partition(LaunchId launch) const;

  const Workload& workload_;
  const FootprintTable& footprints_;
  Partitioning partitioning_;
  std::vector<std::uint64_t> totals_;  ///< number of work-groups by kernel; past the last: 0, for a copy
  std::vector<State> states_;          ///< by launch
  /// The number of the next work-group, by launch that has begun, then partition. Empty without partitions.
  std::vector<std::vector<std::uint64_t>> next_in_partition_;
  std::vector<std::uint32_t> last_partition_;  ///< by launch: from which a work-group was taken last; as above
};

}  // namespace gdsim
