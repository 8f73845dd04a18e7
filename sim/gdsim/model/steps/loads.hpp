#pragma once

#include <gdsim/base/quantity.hpp>
#include <gdsim/model/events.hpp>
#include <gdsim/record/time_use.hpp>

#include <cstdint>
#include <vector>

// Rule, to the picosecond: asynchronous loads.
//
// A load is a member of the pool beside its thread, as if another thread on the same core had a step of as many
// bytes, with the factor of its thread. It is back one latency after the last of its bytes was served, and ends then,
// or with the thread's load before it, if that ends later. Behind the last step of a thread that has begun such
// loads, it waits for them. A loop around a load is never one piece of work.

namespace gdsim {

/// Asynchronous loads that are outstanding. The loads of a thread end in the order in which it began them: what comes
/// back before an older one ends with that.
///
/// A load is one of all threads of a cohort. Cohorts that are split share their loads. Handles stay valid after the
/// end: is_outstanding() is then false.
class Loads {
 public:
  struct Load {
    LoadHandle older;                    ///< the one that the same threads began before
    bool is_answered = false;            ///< its bytes are there; it ends with the older one
    MemoryLimit limit = 0;               ///< what kept it from more at last
    SimTime isolated_until;              ///< when it would be back if no other thread used the memory
    CohortIndex waiting = kNoCohort;     ///< the first of a chain of cohorts that wait for its end
    std::uint32_t generation = 0;        ///< how many had this slot before
    std::vector<std::uint32_t> newer{};  ///< slots of those to which it is the older one: several if a cohort was split
  };

  LoadHandle begin(LoadHandle older, SimTime isolated_until);
  bool is_outstanding(LoadHandle handle) const {
    return handle.slot < loads_.size() && loads_[handle.slot].generation == handle.generation;
  }
  Load& operator[](LoadHandle handle) { return loads_[handle.slot]; }
  const Load& operator[](LoadHandle handle) const { return loads_[handle.slot]; }
  LoadHandle in_slot(std::uint32_t slot) const { return {slot, loads_[slot].generation}; }
  /// The handle, or that of no load if the load has ended.
  LoadHandle if_outstanding(LoadHandle handle) const { return is_outstanding(handle) ? handle : LoadHandle(); }
  /// The load to wait for so that at most `outstanding` of those up to `last` remain; none if no more remain now.
  LoadHandle awaited(LoadHandle last, std::uint64_t outstanding) const;

  /// It is back. Calls `end(load)` for each load that ends by that, oldest first.
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
  std::vector<std::uint32_t> free_;  ///< slots
};

}  // namespace gdsim
