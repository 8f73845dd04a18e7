#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/workload/launch_graph.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstdint>
#include <vector>

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

namespace gdsim {

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

}  // namespace gdsim
