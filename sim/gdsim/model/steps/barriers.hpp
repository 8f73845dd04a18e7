#pragma once

#include <gdsim/base/check.hpp>
#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/model/events.hpp>
#include <gdsim/program/program_plan.hpp>
#include <gdsim/workload/launch_graph.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gdsim {

// Rule, to the picosecond: barriers.
//
// A name is a barrier of the threads that have a `barrier` or `signal` of this name in their program; phase n is
// complete when each of them has arrived for the n-th time. Each `barrier` step ends the device's barrier cost after
// that, also if the last arrival was a `signal`. The cost is that of all threads of the work-group, whatever the name;
// it does not delay a `wait`. A thread's n-th `wait` waits for phase n; barriers do not count as waits. Where signals
// of the name say `initially: N`, the first N waits of each thread pass at once, and its n-th waits for phase n - N.

/// A reusable barrier of one work-group, or a split one. It counts arrivals: a phase is complete when all participants
/// have arrived.
struct BarrierState {
  std::uint64_t participants = 0;    ///< number of threads; 0: no thread ever arrives
  std::uint64_t complete = 0;        ///< number of phases in which all have arrived, or whose child has ended
  std::uint64_t open = 0;            ///< number of phases that are over for `barrier` steps and parents of children
  std::uint64_t open_for_waits = 0;  ///< number of phases that are over for `wait` steps, which have no barrier cost
  CohortIndex waiting = kNoCohort;   ///< the first of a chain of waiting cohorts

  /// `threads` threads have arrived at each of these consecutive phases.
  struct Arrivals {
    std::uint64_t phases = 0;
    std::uint64_t threads = 0;
  };
  std::vector<SimTime> openings;  ///< opening times of complete phases during the barrier's cost, ascending
  std::vector<Arrivals> arrived;  ///< from the first incomplete phase on

  /// Adds arrivals of `threads` threads for this phase, counted from 1; each thread arrives for the `phase`-th time.
  /// Returns the number of phases that this completes.
  std::uint64_t arrive(std::uint64_t phase, std::uint64_t threads) {
    // Common case: other threads have arrived for this phase, none for a later one, and it does not become complete.
    if (arrived.size() == 1 && arrived.front().phases == 1 && phase == complete + 1 &&
        arrived.front().threads + threads < participants) {
      arrived.front().threads += threads;
      return 0;
    }
    return arrive_among(phase, threads);
  }

 private:
  /// As arrive(), whatever has arrived before.
  std::uint64_t arrive_among(std::uint64_t phase, std::uint64_t threads);
};

/// The barriers of all resident work-groups. Allocates only if more work-groups are resident than ever before.
class Barriers {
 public:
  /// `max` is the maximum number of barriers of a kernel.
  explicit Barriers(std::size_t max) : max_(max) {
    GDSIM_CHECK(max <= Event::kMaxBarriers, "a kernel has more barriers than events can tell apart");
  }

  void open_group(GroupIndex group) {
    const std::size_t end = (static_cast<std::size_t>(group) + 1) * max_;
    if (states_.size() < end) states_.resize(end);
  }
  BarrierState& state_of(GroupIndex group, std::uint32_t barrier) {
    return states_[static_cast<std::size_t>(group) * max_ + barrier];
  }
  const BarrierState& state_of(GroupIndex group, std::uint32_t barrier) const {
    return states_[static_cast<std::size_t>(group) * max_ + barrier];
  }

 private:
  std::size_t max_;
  std::vector<BarrierState> states_;  ///< by group, then barrier
};

// Rule, to the picosecond: grid barriers, triggers, and launches that wait for them.
//
// A grid barrier is complete for the n-th time when, in every work-group of the launch, all threads that have one in
// their program have arrived for the n-th time. It opens its `cost` later, which no factor changes. A work-group
// triggers once: when the first of its threads reaches a `trigger`, or when it ends. A launch that comes after the
// trigger of another (`after: [{launch: a, when: triggered}]`) is ready, if nothing else keeps it, at the instant at
// which the last work-group of that launch triggers, without `dependency_gap`. Its `wait_dependencies` ends at the
// instant at which the last of these launches ends; where its launch waits for no trigger, at once. The launch itself
// ends no earlier. Cooperative launches that may be on one core run one after the other, in the order in which hardware
// queues start launches: each waits for the end of those before it, as for any predecessor, unless it waits for their
// triggers. AMD's runtime has one queue for all of them; for other vendors this is ASSUMED, because two partly resident
// launches would wait for each other forever.

/// By launch, the number of work-groups whose threads are all at the grid barrier, and of those that have triggered.
class Grids {
 public:
  /// All references must outlive this.
  Grids(const Workload& workload, const LaunchGraph& graph);

  /// Counts a work-group whose threads have all arrived at the grid barrier. Returns true if it is the last work-group.
  bool arrive(LaunchId launch) {
    Grid& grid = grids_[index_of(launch)];
    if (++grid.at_barrier < groups_of(launch)) return false;
    grid.at_barrier = 0;
    return true;
  }
  /// Returns true if other launches wait for the triggers of this one.
  bool is_awaited(LaunchId launch) const { return graph_.has_trigger_waiters(launch); }
  /// Counts a work-group that has triggered. Returns true if it is the last.
  bool trigger(LaunchId launch) { return ++grids_[index_of(launch)].triggered == groups_of(launch); }

 private:
  struct Grid {
    std::uint64_t at_barrier = 0;  ///< number of work-groups
    std::uint64_t triggered = 0;   ///< number of work-groups
  };
  std::uint64_t groups_of(LaunchId launch) const {
    return workload_.kernel_of(workload_.launches[index_of(launch)]).range.group_count();
  }

  const Workload& workload_;
  const LaunchGraph& graph_;
  std::vector<Grid> grids_;  ///< by launch; empty if no kernel has such steps, and no launch waits for a trigger
};

// Rule, to the picosecond: flags between work-groups.
//
// A `signal` or `wait` with `scope: launch` is one of a flag of its launch, which its name and its `index` identify.
// The work-groups of a flag are those of the launch, placed or not, of which some thread has a signal of it in its
// program. Each of them arrives for the n-th time when all its threads that have one have done so n times; phase n of
// the flag is complete when all its work-groups have arrived n times. A thread's n-th `wait` for a flag ends at the
// instant at which phase n is complete. Nothing delays it, and no factor changes it: what signals and polls cost in
// memory are steps beside them. A flag without work-groups, as that of index -1, is passed at once. Two launches share
// no flag.

/// A flag of a launch, by its number among those of the launch's kernel.
struct FlagOfLaunch {
  LaunchId launch{};
  std::uint32_t number = 0;
};

/// A work-group with threads that wait for a flag, which is this barrier of its plan.
struct FlagWait {
  GroupIndex group{};
  std::uint32_t barrier = 0;

  friend bool operator==(const FlagWait&, const FlagWait&) = default;
};

/// The flags of all launches.
class Flags {
 public:
  /// The workload must outlive this.
  Flags(const Workload& workload, const ProgramPlans& plans);

  /// Returns the number, among those of its kernel, of the flag that is this barrier of the plan.
  std::uint32_t number_of(std::size_t plan, std::uint32_t barrier) const {
    return plans_[plan].numbers[barrier - plans_[plan].first];
  }
  /// Returns the work-groups that signal the flag.
  std::uint64_t signalling_groups(FlagOfLaunch flag) const {
    return kernels_[index_of(workload_.launches[index_of(flag.launch)].as_kernel().kernel)][flag.number];
  }
  /// Returns the phases of the flag that are complete: all, if no work-group signals it.
  std::uint64_t complete(FlagOfLaunch flag) const;
  /// Lets the work-group arrive, which has done so `before` times, for the next `phases` phases. Returns those that
  /// wait for the flag, if any phase of it is complete; they count as waiting no longer.
  std::vector<FlagWait> arrive(FlagOfLaunch flag, std::uint64_t before, std::uint64_t phases);
  /// Notes that the work-group waits for the flag.
  void wait(FlagOfLaunch flag, FlagWait wait);

 private:
  /// The flags of a plan: the barrier that is the first, and the number of each.
  struct OfPlan {
    std::uint32_t first = 0;
    std::vector<std::uint32_t> numbers;
  };
  struct Flag {
    BarrierState arrivals;
    std::vector<FlagWait> waiting;
  };

  Flag& flag_at(FlagOfLaunch flag);

  const Workload& workload_;
  std::vector<OfPlan> plans_;                        ///< empty if no kernel has flags
  std::vector<std::vector<std::uint64_t>> kernels_;  ///< by kernel, then flag: work-groups that signal it
  std::vector<std::vector<Flag>> launches_;          ///< by launch, then flag; those of a launch from its first use on
};

}  // namespace gdsim
