#pragma once

#include <gdsim/base/fraction.hpp>
#include <gdsim/event/indexed_heap.hpp>
#include <gdsim/event/service_rate.hpp>
#include <gdsim/record/time_use.hpp>

#include <cstdint>
#include <limits>
#include <vector>

namespace gdsim {

/// The rate at which the threads of one or more rate classes are served and execute.
struct MemoryPace {
  static constexpr FixedPoint kMost = std::numeric_limits<FixedPoint>::max();

  Fraction rate;          ///< of a thread, in bytes per picosecond
  ServiceRate served;     ///< in bytes
  ServiceRate executed;   ///< in picoseconds at the rate of an isolated thread
  MemoryLimit limit = 0;  ///< the limit that determines it
  bool is_in_use = false;
  FixedPoint served_last = 0;     ///< work in the time that passed with the last advance
  FixedPoint executed_last = 0;   ///< as served_last
  FixedPoint least_left = kMost;  ///< used within RateClasses::next() only

  /// Execution advances at this rate / the rate of an isolated thread, but at most at 1.
  void set(Fraction of_thread, Fraction isolated_rate, MemoryLimit by) {
    rate = of_thread;
    served = ServiceRate(rate);
    const Fraction speed = rate / isolated_rate;
    executed = ServiceRate(speed < Fraction(1, 1) ? speed : Fraction(1, 1));
    limit = by;
  }
  void advance(Duration elapsed) {
    served_last = served.work_in(elapsed);
    executed_last = executed.work_in(elapsed);
  }
};

/// The demand of the threads of a rate class for one copy of a memory level that has a limited bandwidth.
struct LevelDemand {
  std::uint32_t slot = 0;     ///< number of the copy, see CommonRates
  UInt128 of_thread = 0;      ///< demand_of() a thread that gets its cap
  Fraction share;             ///< bytes requested from the level per byte moved, above 0
  Fraction weight;            ///< of `threads` threads: the sum of their weights, times `share`
  std::uint64_t threads = 0;  ///< number of threads for which `weight` was computed
};

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
  FixedPoint served = 0;          ///< a virtual clock in bytes; its reading at the last advance
  FixedPoint executed = 0;        ///< a virtual clock of execution
  IndexedHeap<FixedPoint> flows;  ///< by the reading of `served` at which their first thread is done
  Fraction weight;                ///< of a thread
  Fraction cap;                   ///< maximum rate of a thread without contention
  Fraction cap_per_weight;        ///< rate classes are in ascending order of this
  bool has_new_cap = false;       ///< true if at_cap is of an earlier cap
  MemoryPace at_cap;              ///< the pace of a thread that gets its cap
  MemoryPace* pace = nullptr;     ///< the current pace: at_cap, or one that others of its kind have as well
  std::vector<LevelDemand> demands;

  void advance() {
    served += pace->served_last;
    executed += pace->executed_last;
  }
  /// Returns the reading of `executed` this time after the last advance.
  FixedPoint executed_after(Duration elapsed) const { return executed + pace->executed.work_in(elapsed); }
  /// Returns what the first thread to be done has left to be served. There must be one.
  FixedPoint least_left() const { return flows.top_key() > served ? flows.top_key() - served : 0; }
};

}  // namespace gdsim
