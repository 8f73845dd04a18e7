#pragma once

#include <gdsim/base/fraction.hpp>
#include <gdsim/event/indexed_heap.hpp>
#include <gdsim/event/virtual_clock.hpp>
#include <gdsim/record/time_use.hpp>

#include <cstdint>
#include <vector>

namespace gdsim {

/// Threads of one kind in one memory domain that the memory serves at one rate. Virtual clocks measure the progress of
/// each thread in its step, so no thread is touched when the rate changes.
///
/// All threads of the kind in the domain are one group. Those that their core limits are grouped by the number of
/// threads on it.
struct RateGroup {
  std::uint32_t number = 0;  ///< among those of its owner
  std::uint32_t kind_in_domain = 0;
  std::uint32_t domain = 0;
  std::uint32_t sharers = 0;  ///< threads on each of their cores, if these limit them; else 0
  std::uint64_t threads = 0;
  VirtualClock served;              ///< bytes
  VirtualClock executed;            ///< picoseconds at the rate of an isolated thread
  IndexedHeap<FixedPoint> streams;  ///< by the time, on the clock `served`, when their first thread is done
  Fraction weight;                  ///< of a thread
  Fraction cap;                     ///< maximum rate of a thread without contention
  Fraction cap_per_weight;          ///< groups are in rising order of this
  std::vector<UInt128> demands;     ///< by level: demand_of() a thread that gets its cap
  MemoryLimit limit = 0;            ///< what determines the rate
  bool has_new_cap = false;         ///< since its rate was set; false between instants

  void advance(SimTime now) {
    served.advance(now);
    executed.advance(now);
  }
};

}  // namespace gdsim
