#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/model/events.hpp>
#include <gdsim/record/time_use.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace gdsim {

// Rule, to the picosecond: asynchronous loads.
//
// A load is a member of the pool in addition to its thread, as if another thread on the same core had a step of as many
// bytes, with the factor of the load's thread. The load is answered one latency after the last of its bytes was served.
// It ends then, or with the thread's previous load if that ends later. After its last step, a thread waits for the
// loads that it has begun. A loop around a load is never one piece of work.

/// Outstanding asynchronous loads. The loads of a thread end in the order in which it began them: a load that is
/// answered before an older one ends together with the older one.
///
/// A load belongs to all threads of a cohort. The parts of a split cohort share its loads. A handle stays valid after
/// the end of its load: is_outstanding() then returns false.
class Loads {
 public:
  static constexpr std::uint32_t kNoSlot = LoadHandle().slot;

  struct Load {
    LoadHandle older;                 ///< the previous load of the same threads
    bool is_answered = false;         ///< true if its bytes have arrived, so that it ends with the older load
    MemoryLimit limit = 0;            ///< the last limit of its rate
    SimTime isolated_until;           ///< time of its answer if no other thread used the memory
    CohortIndex waiting = kNoCohort;  ///< the first of a chain of cohorts that wait for its end
    std::uint32_t generation = 0;     ///< number of loads that had this slot before
    std::uint32_t newer = kNoSlot;  ///< the first of a chain of loads with this `older`: several if a cohort was split
    std::uint32_t last_newer = kNoSlot;  ///< the last of them
    std::uint32_t sibling = kNoSlot;     ///< the next load with the same `older`
    std::uint32_t next_to_end = kNoSlot;
  };

  LoadHandle begin(LoadHandle older, SimTime isolated_until);
  bool is_outstanding(LoadHandle handle) const {
    return handle.slot != kNoSlot && loads_[handle.slot].generation == handle.generation;
  }
  Load& operator[](LoadHandle handle) { return loads_[handle.slot]; }
  const Load& operator[](LoadHandle handle) const { return loads_[handle.slot]; }
  LoadHandle in_slot(std::uint32_t slot) const { return {slot, loads_[slot].generation}; }
  /// Returns the handle, or an empty one if the load has ended.
  LoadHandle if_outstanding(LoadHandle handle) const { return is_outstanding(handle) ? handle : LoadHandle(); }
  /// Returns the load after whose end at most `outstanding` of the loads up to `last` remain; an empty handle if no
  /// more remain now.
  LoadHandle awaited(LoadHandle last, std::uint64_t outstanding) const;

  /// Must be called when the load is answered. Calls `end(load)` for each load that then ends, oldest first; it may not
  /// begin loads.
  template <class End>
  void on_answer(LoadHandle handle, End&& end) {
    loads_[handle.slot].is_answered = true;
    if (is_outstanding(loads_[handle.slot].older)) return;
    std::uint32_t last = handle.slot;
    for (std::uint32_t slot = handle.slot; slot != kNoSlot;) {
      Load& load = loads_[slot];
      ++load.generation;
      end(std::as_const(load));
      for (std::uint32_t newer = load.newer; newer != kNoSlot; newer = loads_[newer].sibling)
        if (loads_[newer].is_answered) last = loads_[last].next_to_end = newer;
      free_.push_back(std::exchange(slot, load.next_to_end));
    }
  }

 private:
  std::vector<Load> loads_;          ///< by slot
  std::vector<std::uint32_t> free_;  ///< free slots
};

// Rule, to the picosecond: stores.
//
// A store is a member of the memory's pool in addition to its thread, as an asynchronous load is. All its bytes are
// asked for at once; it has no latency, and ends when the last of its bytes was served. No thread is served its stores
// first or last. The thread goes on at once, also to its end, unless more stores of threads are under way from its core
// than the core has contexts, those begun at this instant not counted. Then it waits until, after all stores that end
// at an instant have ended, no more are under way. (No document says how many stores a core can have under way.
// ASSUMED: as many as its contexts.) `wait_memory`, the end of a thread and the release of its work-group do not wait
// for stores. A `fence` waits for all earlier stores of its thread, which end in their order: one that was served
// before an older one ends with it. A launch ends when its work-groups and its children have ended and its last store
// is acknowledged: one latency of the fastest memory level that all cores share after the store has ended, as a `fence`
// has it, without a factor. A turn follows. A loop around nothing but a store is one store.

/// The stores of a device that are under way: how many, by core and by launch, and which threads wait for that. Also
/// when the last ones of each launch are acknowledged.
class Stores {
 public:
  Stores(std::size_t cores, std::size_t launches, std::uint32_t contexts_per_core)
      : cores_(cores), of_launch_(launches, 0), contexts_(contexts_per_core) {}

  /// Adds a store of each of these threads.
  void begin(SimTime now, CoreId core, LaunchId launch, std::uint32_t threads) {
    core_at(now, core).fresh += threads;
    ++of_launch_[index_of(launch)];
    ++under_way_;
  }
  /// Removes stores that have begun before. Returns true if they were the last of their launch.
  bool end(SimTime now, CoreId core, LaunchId launch, std::uint32_t threads) {
    core_at(now, core).older -= threads;
    if (!cores_[index_of(core)].waiting.empty()) freed_.push_back(core);
    --under_way_;
    return --of_launch_[index_of(launch)] == 0;
  }
  bool has_any_of(LaunchId launch) const { return of_launch_[index_of(launch)] != 0; }
  /// Must be called when the last store of the launch under way has ended, with the time of its acknowledgement.
  void set_acknowledged(LaunchId launch, SimTime at) {
    acknowledged_.resize(of_launch_.size());
    acknowledged_[index_of(launch)] = at;
    last_acknowledgement_ = std::max(last_acknowledgement_, at);
  }
  /// Returns the time at which all stores of the launch that have ended are acknowledged.
  SimTime acknowledged(LaunchId launch) const {
    return acknowledged_.empty() ? SimTime{} : acknowledged_[index_of(launch)];
  }
  /// Returns the time at which all stores are acknowledged, or nullopt while some are under way.
  std::optional<SimTime> last_acknowledgement() const {
    return under_way_ == 0 ? std::optional(last_acknowledgement_) : std::nullopt;
  }
  /// Returns true if threads of the core go on after their stores.
  bool has_room(SimTime now, CoreId core) { return core_at(now, core).older <= contexts_; }
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

  Core& core_at(SimTime now, CoreId id) {
    Core& core = cores_[index_of(id)];
    if (std::exchange(core.since, now) != now) core.older += std::exchange(core.fresh, 0);
    return core;
  }

  std::vector<Core> cores_;
  std::vector<std::uint32_t> of_launch_;  ///< stores of cohorts under way
  std::uint64_t under_way_ = 0;           ///< of all launches
  std::vector<SimTime> acknowledged_;     ///< by launch; empty before a store has ended
  SimTime last_acknowledgement_;          ///< of the last store of all launches
  std::vector<CoreId> freed_;             ///< cores with waiting threads on which stores have ended at this instant
  std::uint32_t contexts_;
};

}  // namespace gdsim
