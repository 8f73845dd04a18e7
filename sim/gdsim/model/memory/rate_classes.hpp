#pragma once

#include <gdsim/base/arithmetic.hpp>
#include <gdsim/base/decimal.hpp>
#include <gdsim/event/fair_pool.hpp>
#include <gdsim/event/heaps.hpp>
#include <gdsim/model/memory/memory_clients.hpp>
#include <gdsim/record/time_use.hpp>

#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace gdsim {

/// The demand of threads for the bandwidth of one memory level.
struct Demand {
  Fraction cap;     ///< their maximum demand, in bytes per picosecond and weight
  Fraction weight;  ///< sum of the threads' weights times their share of requests to this level
};

/// Returns the highest rate per weight at which the sum of demands is at most `bandwidth`, or nullopt if their caps do
/// not exceed it at any rate. `demands` must be in ascending order of cap.
std::optional<Fraction> water_level(std::span<const Demand> demands, Fraction bandwidth);

// Integer sums, in units of 2^-40 bytes per picosecond, nearly always show that the bandwidth suffices.

/// Returns a rate in these units, rounded up.
UInt128 demand_of(Fraction rate);
/// Returns a threshold: for lower sums of demands, water_level() would return nullopt, despite the rounding of
/// fractions, but at a higher cost.
UInt128 uncontended_threshold(Fraction bandwidth);

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

/// The common rate per weight of each memory domain (weighted max-min fairness). Each thread gets its weight times that
/// rate, but at most its cap; the rate is the highest at which no level exceeds its bandwidth. Levels that are far from
/// saturated are skipped.
class CommonRates {
 public:
  struct Rate {
    std::optional<Fraction> per_weight;  ///< nullopt: all threads get their caps
    MemoryLimit limit = 0;               ///< the memory level that limits it
  };

  /// `kinds` must outlive this.
  explicit CommonRates(const MemoryClients& kinds);

  /// Sets the demands of a rate class without threads, from its kind and its cap.
  void set_demands(RateClass& rate_class) const;
  /// Adds `more` readers to the rate class, or removes readers if it is negative.
  void count(const RateClass& rate_class, std::int64_t more) {
    for (const LevelDemand& demand : rate_class.demands) {
      Slot& slot = slots_[demand.slot];
      full_ -= slot.is_full() ? 1 : 0;
      slot.asked += demand.of_thread * static_cast<UInt128>(more);
      full_ += slot.is_full() ? 1 : 0;
    }
  }
  /// Computes the rates. `rate_classes` must be in ascending order of cap per weight. Returns true if some rate class
  /// may get less than its cap.
  bool find(std::span<RateClass* const> rate_classes);
  /// Returns the rate of a domain. Must be called after find().
  const Rate& rate_of(std::uint32_t domain) const { return rates_[domain]; }

 private:
  /// A copy of a level that has a limited bandwidth.
  struct Slot {
    UInt128 asked = 0;  ///< the sum of all demands, modulo 2^128
    UInt128 threshold;  ///< uncontended_threshold() of the bandwidth
    Fraction bandwidth;
    MemoryLimit limit;                   ///< of its level
    std::vector<std::uint32_t> domains;  ///< those that it serves
    std::vector<Demand> demands;         ///< used within find() only

    bool is_full() const { return !(asked < threshold); }
  };
  static constexpr std::uint32_t kNoSlot = ~std::uint32_t{0};

  void gather_demands(std::span<RateClass* const> rate_classes);
  void lower_rates(const Slot& slot);

  const MemoryClients& kinds_;
  std::vector<Slot> slots_;                           ///< by level, then copy
  std::vector<std::vector<std::uint32_t>> slots_of_;  ///< by domain, then level; kNoSlot: its bandwidth is not limited
  std::uint64_t full_ = 0;                            ///< number of slots that are full
  std::vector<Rate> rates_;                           ///< by domain: the result of find()
};

/// The rate classes of a memory, and their rates. A rate class is in use while it has threads; unused rate classes are
/// reused.
///
/// All clocks advance at the same instants. So rate classes with the same rate share a MemoryPace, which computes what
/// their clocks gain.
class RateClasses {
 public:
  /// `kinds` must outlive this.
  explicit RateClasses(MemoryClients& kinds)
      : kinds_(kinds), common_(kinds), common_paces_(kinds.count_in_domains()), by_kind_(kinds.count_in_domains()) {}
  /// Returns the rate classes in use, by ascending cap per weight.
  std::span<RateClass* const> in_use() const { return in_use_; }
  void advance(SimTime now) {
    if (now != since_) advance_by(now - since_);
  }
  /// Returns the time that has passed since the last advance.
  Duration since_advance(SimTime now) const { return now - since_; }
  /// Returns the rate class of threads of this kind on a core with `threads_on_core` threads. It is in use from now on.
  /// It may be `known`.
  RateClass* use(std::uint32_t kind_in_domain, std::uint64_t threads_on_core, RateClass* known) {
    kinds_.update(kind_in_domain);
    const auto sharers =
        static_cast<std::uint32_t>(threads_on_core > kinds_[kind_in_domain].max_unlimited ? threads_on_core : 0);
    const bool is_known = known != nullptr && known->kind_in_domain == kind_in_domain && known->sharers == sharers;
    return is_known ? known : find(kind_in_domain, sharers);
  }
  /// Updates caps after a change of the working sets. Returns true if threads may now belong to other rate classes.
  bool update_caps();
  /// Adds `more` threads to the rate class, or removes threads if it is negative.
  void count(RateClass& rate_class, std::int64_t more) {
    rate_class.threads += static_cast<std::uint64_t>(more);
    common_.count(rate_class, more);
  }
  /// Removes a flow without threads from the rate class.
  void remove_flow(RateClass& rate_class, std::uint32_t flow) {
    rate_class.flows.erase(flow);
    has_empty_ = has_empty_ || rate_class.flows.empty();
  }
  /// Ends the use of rate classes without threads.
  void drop_empty();
  /// Sets the rate of each rate class to the common rate of its domain, or to its cap if that is less.
  void set_rates();
  /// Returns the time at which the next thread is done if no rate changes, or nullopt if there is no thread. Rate
  /// classes without threads must have been dropped, and the rates set.
  std::optional<SimTime> next();

 private:
  void advance_by(Duration elapsed);
  RateClass* find(std::uint32_t kind_in_domain, std::uint32_t sharers);
  RateClass* make(std::uint32_t kind_in_domain, std::uint32_t sharers);
  void set_cap(RateClass& rate_class);
  bool is_slowed(const RateClass& rate_class);
  bool set_common_pace(const RateClass& rate_class);
  MemoryPace& pace_at_cap(RateClass& rate_class) const;
  static bool comes_before(const RateClass* a, const RateClass* b);

  MemoryClients& kinds_;                ///< from the working sets
  CommonRates common_;                  ///< from the rate classes in use
  SimTime since_;                       ///< the last advance
  std::deque<RateClass> rate_classes_;  ///< in use and unused
  std::vector<RateClass*> in_use_;      ///< by ascending cap per weight
  std::vector<RateClass*> unused_;
  std::vector<MemoryPace> common_paces_;          ///< by kind in domain: the pace of threads that get the common rate
  std::vector<MemoryPace*> paces_;                ///< those in use
  std::vector<std::vector<RateClass*>> by_kind_;  ///< rate classes in use, by kind in domain, then sharers
  bool has_empty_ = false;                        ///< true if a rate class in use has lost its last flow
  bool have_caps_ = false;                        ///< true if all rate classes in use are served at their caps
};

}  // namespace gdsim
