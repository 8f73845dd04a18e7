#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/model/events.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

// Rule, to the picosecond: stores.
//
// A store is a member of the memory's pool in addition to its thread, as an asynchronous load is. All its bytes are
// asked for at once; it has no latency, and ends when the last of its bytes was served. No thread is served its stores
// first or last. The thread goes on at once, also to its end, unless more stores of threads are under way from its core
// than the core has contexts, those begun at this instant not counted. Then it waits until, after all stores that end
// at an instant have ended, no more are under way. (No document says how many stores a core can have under way.
// ASSUMED: as many as its contexts.) `wait_memory`, the end of a thread and the release of its work-group do not wait
// for stores. A `fence` waits for all earlier stores of its thread, which end in their order: one that was served
// before an older one ends with it. A launch ends when its work-groups, its children and its stores have ended; a
// turn follows its last store. A loop
// around nothing but a store is one store.

namespace gdsim {

/// The stores of a device that are under way: how many, by core and by launch, and which threads wait for that.
class Stores {
 public:
  Stores(std::size_t cores, std::size_t launches, std::uint32_t contexts_per_core)
      : cores_(cores), of_launch_(launches, 0), contexts_(contexts_per_core) {}

  /// Adds a store of each of these threads.
  void begin(SimTime now, CoreId core, LaunchId launch, std::uint32_t threads) {
    at(now, core).fresh += threads;
    ++of_launch_[index_of(launch)];
  }
  /// Removes stores that have begun before. Returns true if they were the last of their launch.
  bool end(SimTime now, CoreId core, LaunchId launch, std::uint32_t threads) {
    at(now, core).older -= threads;
    if (!cores_[index_of(core)].waiting.empty()) freed_.push_back(core);
    return --of_launch_[index_of(launch)] == 0;
  }
  bool any_of(LaunchId launch) const { return of_launch_[index_of(launch)] != 0; }
  /// Returns true if threads of the core go on after their stores.
  bool has_room(SimTime now, CoreId core) { return at(now, core).older <= contexts_; }
  void wait(CoreId core, CohortIndex cohort) { cores_[index_of(core)].waiting.push_back(cohort); }
  /// Calls `go_on(cohort)` for each cohort whose core has room again. Must be called after the ends of an instant.
  template <class GoOn>
  void visit_freed(SimTime now, GoOn&& go_on) {
    for (const CoreId core : std::exchange(freed_, {})) {
      if (!has_room(now, core)) continue;
      for (const CohortIndex cohort : std::exchange(cores_[index_of(core)].waiting, {})) go_on(cohort);
    }
  }

 private:
  struct Core {
    std::uint64_t older = 0;  ///< stores of threads that began before `since`
    std::uint64_t fresh = 0;  ///< those that began at `since`
    SimTime since;
    std::vector<CohortIndex> waiting;
  };

  Core& at(SimTime now, CoreId id) {
    Core& core = cores_[index_of(id)];
    if (std::exchange(core.since, now) != now) core.older += std::exchange(core.fresh, 0);
    return core;
  }

  std::vector<Core> cores_;
  std::vector<std::uint32_t> of_launch_;  ///< stores of cohorts
  std::vector<CoreId> freed_;             ///< cores with waiting threads on which stores have ended at this instant
  std::uint32_t contexts_;
};

}  // namespace gdsim
