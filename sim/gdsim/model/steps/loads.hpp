#pragma once

#include <gdsim/base/quantity.hpp>
#include <gdsim/model/events.hpp>
#include <gdsim/record/time_use.hpp>

#include <cstdint>
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
  struct Load {
    LoadHandle older;                    ///< the previous load of the same threads
    bool is_answered = false;            ///< true if its bytes have arrived, so that it ends with the older load
    MemoryLimit limit = 0;               ///< the last limit of its rate
    SimTime isolated_until;              ///< time of its answer if no other thread used the memory
    CohortIndex waiting = kNoCohort;     ///< the first of a chain of cohorts that wait for its end
    std::uint32_t generation = 0;        ///< number of loads that had this slot before
    std::vector<std::uint32_t> newer{};  ///< slots of the loads with this `older`: several if a cohort was split
  };

  LoadHandle begin(LoadHandle older, SimTime isolated_until);
  bool is_outstanding(LoadHandle handle) const {
    return handle.slot < loads_.size() && loads_[handle.slot].generation == handle.generation;
  }
  Load& operator[](LoadHandle handle) { return loads_[handle.slot]; }
  const Load& operator[](LoadHandle handle) const { return loads_[handle.slot]; }
  LoadHandle in_slot(std::uint32_t slot) const { return {slot, loads_[slot].generation}; }
  /// Returns the handle, or an empty one if the load has ended.
  LoadHandle if_outstanding(LoadHandle handle) const { return is_outstanding(handle) ? handle : LoadHandle(); }
  /// Returns the load after whose end at most `outstanding` of the loads up to `last` remain; an empty handle if no
  /// more remain now.
  LoadHandle awaited(LoadHandle last, std::uint64_t outstanding) const;

  /// Must be called when the load is answered. Calls `end(load)` for each load that then ends, oldest first.
  template <class End>
  void on_answer(LoadHandle handle, End&& end) {
    loads_[handle.slot].is_answered = true;
    if (is_outstanding(loads_[handle.slot].older)) return;
    std::vector<std::uint32_t> ended{handle.slot};
    for (std::size_t i = 0; i < ended.size(); ++i) {
      const Load load = release(ended[i]);
      end(load);
      for (const std::uint32_t slot : load.newer)
        if (loads_[slot].is_answered) ended.push_back(slot);
    }
  }

 private:
  Load release(std::uint32_t slot);

  std::vector<Load> loads_;          ///< by slot
  std::vector<std::uint32_t> free_;  ///< free slots
};

}  // namespace gdsim
