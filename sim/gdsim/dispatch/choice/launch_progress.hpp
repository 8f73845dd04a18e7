#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/dispatch/dispatch_times.hpp>
#include <gdsim/dispatch/shares/partitioning.hpp>
#include <gdsim/fit/footprint.hpp>
#include <gdsim/workload/workload.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
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
    return threads == full.threads ? full : footprints_.footprint_of(state(launch).kernel, threads);
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

// Rule, to the picosecond: launch cost.
//
// Without `launch_cost`, a launch begins when its first work-group is placed. With it, a launch begins at the first
// turn at which it is ready, kernel choice names it, and fewer than `concurrent_kernels` have begun, whether or not it
// fits on a core or a port is free. Its cost has two parts, each rounded by itself; a plain time is entirely `serial`.
// The `overlapping` part begins when the launch has arrived at the device, `launch_latency` after its submission, and
// the last of its predecessors has begun (a copy: with its first byte): it is hidden behind these, and behind
// everything else that the launch waits for. The `serial` part begins when the launch has begun and its `overlapping`
// part is over. When the `serial` part is over, a turn takes place, and the launch's work-groups can be placed; if both
// parts are over when the launch begins, at once. Meanwhile the launch stays the head (`head_only`, `priority`), keeps
// later launches of its kernel and cores behind it (`skip_blocked`), or stands out (`round_robin`). In a round robin, a
// launch is not tried, and so does not begin, in a visit in which another one that requests the same was refused.
// Children pay; their `overlapping` part begins when they are launched. Copies do not pay. The duration of a launch
// begins when the launch begins. The part of its preparation before that is in no duration, and not in its wait for
// `launch_cost`.

/// The times at which each launch began and at which its launch cost is paid, so that its work-groups can be placed.
class BegunLaunches {
 public:
  /// All references must outlive this.
  BegunLaunches(const Workload& workload, const DispatchTimes& times)
      : workload_(workload),
        times_(times),
        takes_time_(times.launches_cost()),
        has_overlapping_(times.has_overlapping()),
        has_begun_(workload.launches.size(), false) {
    if (takes_time_) placeable_from_.resize(workload.launches.size());
    if (has_overlapping_) overlapped_until_.resize(workload.launches.size());
  }

  /// Returns true if there is a launch cost. Then launches begin when they are named, even if no work-group fits.
  bool takes_time() const { return takes_time_; }
  /// Adds a launch that has arrived. The overlapping part of its cost began at `since`.
  void arrive(LaunchId launch, SimTime since) {
    if (!overlapped_until_.empty()) overlapped_until_[index_of(launch)] = times_.end_of_overlapping(since);
  }
  bool has_begun(LaunchId launch) const { return has_begun_[index_of(launch)]; }
  void begin(LaunchId launch, SimTime now) {
    has_begun_[index_of(launch)] = true;
    begun_.push_back(launch);
    if (counts(launch)) ++count_;
    if (!takes_time_) return;
    const SimTime from = times_.end_of_serial(std::max(now, overlapped_until(launch)));
    placeable_from_[index_of(launch)] = from;
    if (from > now) preparing_.push_back(launch);
  }
  /// Calls `visit(launch)` for each launch whose cost has been paid since the last call.
  template <class Visit>
  void take_prepared(SimTime now, Visit visit) {
    std::erase_if(preparing_, [&](LaunchId launch) {
      const bool is_prepared = placeable_from(launch) <= now;
      if (is_prepared) visit(launch);
      return is_prepared;
    });
  }
  /// Returns true if take_prepared() would visit a launch.
  bool one_is_prepared(SimTime now) const {
    return std::any_of(preparing_.begin(), preparing_.end(),
                       [&](LaunchId launch) { return placeable_from(launch) <= now; });
  }
  /// Returns the begun launches whose cost is not paid, as of take_prepared(), in the order in which they began.
  std::span<const LaunchId> preparing() const { return preparing_; }
  /// Returns the launches that have begun since the last call of begin_turn().
  std::span<const LaunchId> begun() const { return begun_; }
  void begin_turn() { begun_.clear(); }
  void on_ended(LaunchId launch) {
    if (counts(launch)) --count_;
  }
  /// Returns the time from which work-groups of a begun launch can be placed; 0 without a launch cost.
  SimTime placeable_from(LaunchId launch) const { return takes_time_ ? placeable_from_[index_of(launch)] : SimTime{}; }
  /// Returns the number of launches that have begun and not ended, without children: these count with their parents,
  /// which may wait for them.
  std::uint64_t count() const { return count_; }

 private:
  /// Returns the end of the overlapping part of the launch's cost.
  SimTime overlapped_until(LaunchId launch) const {
    return overlapped_until_.empty() ? SimTime{} : overlapped_until_[index_of(launch)];
  }
  bool counts(LaunchId launch) const { return workload_.launches[index_of(launch)].parent() == nullptr; }

  const Workload& workload_;
  const DispatchTimes& times_;
  bool takes_time_;
  bool has_overlapping_;
  std::vector<SimTime> overlapped_until_;  ///< by launch, since its arrival; empty: no such part
  std::vector<LaunchId> preparing_;
  std::vector<LaunchId> begun_;  ///< in this turn
  std::uint64_t count_ = 0;
  std::vector<bool> has_begun_;          ///< by launch
  std::vector<SimTime> placeable_from_;  ///< by launch that has begun; empty without a launch cost
};

/// Launches divided into classes: those of one class are equal in some respect, which the function that makes the
/// classes names: classify_by_kernel_and_cores(), classify_by_next_work_group(), classify_by_request().
class LaunchClasses {
 public:
  /// `numbers` are by launch: the number of its class, from 0.
  explicit LaunchClasses(std::vector<std::uint32_t> numbers) : numbers_(std::move(numbers)) {}

  /// The number of launches.
  std::size_t launch_count() const { return numbers_.size(); }
  std::uint32_t operator[](LaunchId launch) const { return numbers_[index_of(launch)]; }
  /// One more than the highest number of a class; 0 if there is no class.
  std::uint32_t class_count() const {
    std::uint32_t count = 0;
    for (const std::uint32_t number : numbers_) count = std::max(count, number + 1);
    return count;
  }
  const std::vector<std::uint32_t>& numbers() const { return numbers_; }

 private:
  std::vector<std::uint32_t> numbers_;
};

/// Launches, of any kernels, whose work-groups all need the same of a core, on the same cores: FitSearch remembers
/// answers by these. If a kernel has smaller work-groups at its edges, only launches of this kernel are in one class.
LaunchClasses classify_by_request(const Workload& workload, const CoreSelections& cores, const LaunchProgress& progress,
                                  Admission admission);

/// Launches of the same kernel on the same cores: their *kind*. Children are of other kinds, because they may always
/// begin. Launches of one kind do not overtake each other.
LaunchClasses classify_by_kernel_and_cores(const Workload& workload, const CoreSelections& cores);

/// Launches of the same kernel, cores and next work-group: if one is refused in a turn, so are the others. A launch
/// whose kernel has smaller work-groups at its edges has a class of its own.
LaunchClasses classify_by_next_work_group(const Workload& workload, const CoreSelections& cores);

}  // namespace gdsim
