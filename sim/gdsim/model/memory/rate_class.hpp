#pragma once

#include <gdsim/base/fraction.hpp>
#include <gdsim/event/indexed_heap.hpp>
#include <gdsim/event/virtual_clock.hpp>
#include <gdsim/record/time_use.hpp>

#include <cstdint>
#include <vector>

namespace gdsim {

/// Threads of one kind in one memory domain that the memory serves at the same rate. Virtual clocks measure the
/// progress of each thread in its step, so a change of the rate does not visit the threads.
///
/// All threads of the kind in the domain form one rate class, except those limited by their core: these are grouped by
/// the number of threads on the core.
struct RateClass {
  std::uint32_t kind_in_domain = 0;
  std::uint32_t domain = 0;
  std::uint32_t sharers = 0;  ///< number of threads on each of their cores, if the cores limit them; else 0
  std::uint64_t threads = 0;
  VirtualClock served;            ///< in bytes
  VirtualClock executed;          ///< in picoseconds at the rate of an isolated thread
  IndexedHeap<FixedPoint> flows;  ///< by the reading of `served` at which their first thread is done
  Fraction weight;                ///< of a thread
  Fraction cap;                   ///< maximum rate of a thread without contention
  Fraction cap_per_weight;        ///< rate classes are in ascending order of this
  std::vector<UInt128> demands;   ///< by level: demand_of() a thread that gets its cap
  MemoryLimit limit = 0;          ///< the limit that determines the rate
  bool has_new_cap = false;       ///< true if the cap changed after the rate was set; false between instants

  void advance(SimTime now) {
    served.advance(now);
    executed.advance(now);
  }
};

}  // namespace gdsim
