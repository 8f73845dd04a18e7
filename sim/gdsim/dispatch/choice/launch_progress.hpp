#pragma once

#include <gdsim/base/copying/bound.hpp>
#include <gdsim/base/state_visitor.hpp>
#include <gdsim/dispatch/placement/partitioning.hpp>
#include <gdsim/fit/footprint_table.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace gdsim {

/// How far each launch has been dispatched: which work-group is next and what it needs. Of a launch in parts
/// (Partitioning), each part has a next one.
class LaunchProgress {
 public:
  /// The footprints are those of the workload's kernels. Both must outlive this.
  LaunchProgress(const Workload& workload, const FootprintTable& footprints, Partitioning partitioning = {});

  /// What a full work-group of the launch's kernel needs.
  const Footprint& full_footprint(LaunchId launch) const { return footprints_->full(state(launch).kernel); }
  /// Equal for launches of whatever kernels whose full work-groups need the same: that is the same object, too.
  std::size_t shape(LaunchId launch) const { return footprints_->shape(state(launch).kernel); }
  /// What a work-group of `threads` threads of it needs: less, if it is smaller, at an edge. Always the same object.
  const Footprint& footprint(LaunchId launch, std::uint32_t threads) const {
    const Footprint& full = full_footprint(launch);
    return threads == full.threads ? full : footprints_->of(state(launch).kernel, threads);
  }
  /// What the launch's next work-group needs; of a launch in parts: that of the first part that has one.
  const Footprint& next_footprint(LaunchId launch) const {
    return is_uniform(launch) ? full_footprint(launch) : footprint_of(launch, next_number(launch));
  }
  /// What the next work-group of a part needs; null if it has no further one.
  const Footprint* next_footprint(LaunchId launch, std::size_t part) const {
    if (left(launch, part) == 0) return nullptr;
    return is_uniform(launch) ? &full_footprint(launch) : &footprint_of(launch, next_number(launch, part));
  }

  /// All its work-groups need the same.
  bool is_uniform(LaunchId launch) const { return !footprints_->has_edges(state(launch).kernel); }

  /// A work-group of it was taken.
  bool has_begun(LaunchId launch) const { return state(launch).next > 0; }
  bool has_next(LaunchId launch) const { return undispatched(launch) > 0; }
  /// Takes the launch's next work-group, row-major; of a launch in parts: of that of the core.
  WorkGroupId take_next(LaunchId launch, CoreId core);
  /// Takes so many of its next work-groups. It is not in parts.
  void take(LaunchId launch, std::uint64_t work_groups) { state(launch).next += work_groups; }
  std::uint64_t undispatched(LaunchId launch) const {
    return totals_[index_of(state(launch).kernel)] - state(launch).next;
  }

  /// Of the launches that are present, whose work-groups resident ones are counted against.
  void visit_state(StateVisitor& visitor, std::span<const LaunchId> present);
  /// So many of its work-groups were taken.
  std::uint64_t dispatched(LaunchId launch) const { return state(launch).next; }
  /// The number of its next work-group; of a launch in parts: of that of the first part that has one.
  std::uint64_t next_number(LaunchId launch) const {
    return partitioning_.is_on() ? next_number(launch, first_part(launch)) : state(launch).next;
  }

  bool is_partitioned() const { return partitioning_.is_on(); }
  std::size_t parts(LaunchId launch) const { return partitioning_.parts(launch); }
  std::size_t part_of(LaunchId launch, CoreId core) const { return partitioning_.part_of(launch, core); }
  /// The cores that take the part, in rising order. The launch is in parts.
  std::span<const CoreId> cores_of(LaunchId launch, std::size_t part) const {
    return partitioning_.cores_of(launch, part);
  }
  /// From which a work-group was taken last; nothing before the first.
  std::optional<std::size_t> last_part(LaunchId launch) const {
    return state(launch).next == 0 ? std::nullopt : std::optional<std::size_t>(state(launch).last_part);
  }
  /// The number of the part's next work-group, if it has one.
  std::uint64_t next_number(LaunchId launch, std::size_t part) const;
  /// Work-groups of the part that are not dispatched.
  std::uint64_t left(LaunchId launch, std::size_t part) const;

  void open_partial(LaunchId launch) { ++state(launch).partial; }
  void close_partial(LaunchId launch) { --state(launch).partial; }
  /// Every thread of the launch is placed.
  bool is_fully_placed(LaunchId launch) const { return !has_next(launch) && state(launch).partial == 0; }

 private:
  struct State {
    std::uint64_t next = 0;
    std::uint32_t partial = 0;    ///< work-groups of which threads are not yet placed
    std::uint32_t last_part = 0;  ///< [derived] that a work-group was taken from
    KernelId kernel{};            ///< of a copy: one behind the last
  };

  State& state(LaunchId launch) { return states_[index_of(launch)]; }
  const State& state(LaunchId launch) const { return states_[index_of(launch)]; }

  const Footprint& footprint_of(LaunchId launch, std::uint64_t number) const {
    const Kernel& kernel = workload_->kernels[index_of(state(launch).kernel)];
    return footprint(launch, static_cast<std::uint32_t>(kernel.threads_of(WorkGroupId{number})));
  }
  /// The first part that has a further work-group; if none has: the first.
  std::size_t first_part(LaunchId launch) const;

  Bound<const Workload> workload_;
  Bound<const FootprintTable> footprints_;
  Partitioning partitioning_;          ///< [constant]
  std::vector<std::uint64_t> totals_;  ///< [constant] by kernel: work-groups; behind the last: none, of a copy
  std::vector<State> states_;          ///< visited by state(): by launch
  /// By launch, if it has begun, by part: the number of the next work-group. Empty without parts.
  std::vector<std::vector<std::uint64_t>> next_in_part_;
};

}  // namespace gdsim
