#pragma once

#include <gdsim/base/quantity.hpp>
#include <gdsim/model/events.hpp>
#include <gdsim/record/time_use.hpp>

#include <cstdint>
#include <utility>
#include <vector>

// Rule, to the picosecond: asynchronous loads.
//
// A load is a member of the pool in addition to its thread, as if another thread on the same core had a step of as many
// bytes, with the factor of the load's thread. The load is answered one latency after the last of its bytes was served.
// It ends then, or with the thread's previous load if that ends later. After its last step, a thread waits for the
// loads that it has begun. A loop around a load is never one piece of work.

namespace gdsim {

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

}  // namespace gdsim
