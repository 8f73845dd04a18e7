#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/engine/indexed_heap.hpp>
#include <gdsim/engine/virtual_clock.hpp>
#include <gdsim/model/events.hpp>
#include <gdsim/model/memory_kinds.hpp>
#include <gdsim/model/memory_mix.hpp>
#include <gdsim/model/memory_scopes.hpp>
#include <gdsim/model/water_level.hpp>
#include <gdsim/model/working_sets.hpp>
#include <gdsim/record/time_use.hpp>

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace gdsim {

/// A cohort whose work on a shared resource is done, or has come so far.
struct Served {
  CohortIndex cohort{};
  std::int64_t executing = 0;  ///< picoseconds that it would have taken alone; the rest was waiting
  MemoryLimit limit = 0;       ///< of memory: what kept it from more at last
  Duration latency;            ///< memory: its step ends so long afterwards
};

/// Global memory under its threads: rate = min(thread's own, core's / threads on the core, weight x level), the level
/// being the highest for which every level of the memory can serve its share of the sum (weighted max-min fairness).
/// A thread whose bytes are served is answered after the latency.
///
/// Threads of one kind in one place share one virtual clock, for they run at one rate, unless their part of what their
/// core gets limits them: then those on cores with as many threads do. An arrival or departure costs a logarithm, and
/// once per instant a pass over the clocks in use, never over threads or cores. What did not change is not computed
/// anew: caps follow from the working sets, speeds from rates.
class MemoryPool {
 public:
  /// `readers` is how many threads and loads of threads there may be on a core.
  MemoryPool(MemoryRates rates, MemoryScopes scopes, std::vector<MemoryKind> kinds, std::size_t cores,
             std::uint32_t readers);

  /// A work-group whose first thread is on this core goes back to so many bytes of its own, and to so many that its
  /// launch shares, from now on or no longer. Whether that changes what any level keeps.
  bool work_group_opens(CoreId core, LaunchId launch, std::int64_t own, std::int64_t shared);
  bool work_group_closes(CoreId core, LaunchId launch, std::int64_t own, std::int64_t shared);
  /// `threads` equal threads each begin to move so many bytes.
  void enter(SimTime now, CoreId core, std::uint32_t kind, CohortIndex cohort, std::uint32_t threads,
             std::int64_t bytes);
  /// Takes out those that are done at `now`.
  void leave_due(SimTime now, std::vector<Served>& done);
  /// Everything that happens at this instant has happened: rates are set anew.
  void settle(SimTime now);
  /// When the next one is done if nothing changes.
  std::optional<SimTime> next() const;
  /// How long a thread of this kind needs for so many bytes if its work-group has the device for itself.
  Duration isolated_time(std::uint32_t kind, std::int64_t bytes) const { return kinds_.isolated_time(kind, bytes); }
  /// The latency of a thread of this kind whose work-group has the device for itself.
  Duration isolated_latency(std::uint32_t kind) const { return kinds_.isolated_latency(kind); }
  /// The executing time so far of those still in it.
  void add_served(SimTime now, std::vector<Served>& all) const;

  /// Adds those in it to `users`, in an order on which that of ties depends. The instant must be settled.
  void visit_state(StateVisitor& visitor, std::vector<CohortIndex>& users);

 private:
  /// Threads of one kind on one core.
  struct Stream {
    struct Member {
      FixedPoint finish;
      FixedPoint executed_before;
      CohortIndex cohort;
      std::uint32_t threads;
    };
    std::vector<Member> heap;
    std::uint64_t threads = 0;
    std::uint64_t attached_threads = 0;  ///< of them, those that its clock counts
    std::uint32_t clock = kNone;         ///< by which it runs
    FixedPoint served_offset = 0;        ///< own reading = the clock's + offset, modulo 2^128
    FixedPoint executed_offset = 0;
  };
  /// All streams of one kind on cores of one place that run at one rate.
  struct SharedClock {
    std::uint32_t kind = 0;     ///< by place, then kind
    std::uint32_t sharers = 0;  ///< threads on each of the cores, if these limit them; else 0
    VirtualClock served;        ///< bytes
    VirtualClock executed;      ///< picoseconds at the rate that a thread has alone
    IndexedHeap<FixedPoint> streams;
    std::uint64_t threads = 0;
    Fraction cap;             ///< it gets no more, whatever the memory has left
    Fraction cap_per_weight;  ///< clocks in use come by this, rising
    MemoryLimit limit = 0;    ///< what its rate comes from

    void advance(SimTime now) {
      served.advance(now);
      executed.advance(now);
    }
  };
  /// What a thread of a kind gets at the level that was found last for it.
  struct KindShare {
    std::uint64_t found = 0;  ///< of shares_due_
    Fraction rate;
    Fraction speed;
  };
  static constexpr std::uint32_t kNone = 0xFFFF'FFFF;

  const std::vector<std::size_t>& slots_of(CoreId core) const {
    return kinds_.scopes().slots_of(kinds_.scopes().place_of(core));
  }
  std::uint32_t stream_of(CoreId core, std::uint32_t kind) const;
  FixedPoint served(const Stream& stream, SimTime now) const;
  FixedPoint executed(const Stream& stream, SimTime now) const;
  void advance(SimTime now);
  void mark(std::uint32_t core);
  void move_streams(std::uint32_t core, SimTime now);
  /// The clock of streams of this kind on cores with so many threads: it is in use from now on.
  std::uint32_t use_clock(std::uint32_t kind, std::uint64_t on_core);
  void set_cap(SharedClock& clock) const;
  bool comes_before(std::uint32_t a, std::uint32_t b) const;
  void drop_unused_clocks();
  void attach(std::uint32_t stream, std::uint32_t clock, SimTime now);
  void detach(std::uint32_t stream, SimTime now);
  void follow_working_sets();
  void find_levels();
  void set_rates();
  void estimate_asked(std::size_t level);
  const KindShare& share_of(std::uint32_t kind, Fraction level);
  /// Of this rate: how fast picoseconds of execution pass.
  Fraction speed_of(std::uint32_t kind, Fraction rate) const;
  /// Of this group's level of the memory; nothing if its threads cannot fill it.
  std::optional<Fraction> level_of(std::size_t level, std::uint32_t group);

  MemoryKinds kinds_;                                          ///< [derived] from the working sets
  std::vector<Stream> streams_;                                ///< by core, then kind
  std::vector<std::uint64_t> threads_;                         ///< [derived] by core: of its streams
  std::vector<std::vector<std::uint32_t>> kinds_on_;           ///< [derived] by core: of its streams with threads
  std::vector<SharedClock> clocks_;                            ///< those of active_, and unused ones
  std::vector<std::uint32_t> active_;                          ///< clocks with streams, by rising cap per weight
  std::vector<std::uint32_t> unused_;                          ///< [derived] clocks
  std::unordered_map<std::uint64_t, std::uint32_t> clock_of_;  ///< [derived] active_ by kind and sharers
  std::vector<std::uint32_t> changed_cores_;                   ///< [scratch] empty between instants
  std::vector<bool> is_changed_;                               ///< [scratch]
  std::vector<Asker> askers_;                                  ///< [scratch]
  struct Level {
    std::optional<Fraction> level;
    MemoryLimit lowest = 0;  ///< the level of the memory that sets it
  };
  std::vector<Level> levels_;      ///< [scratch] by place
  std::vector<double> asked_;      ///< [scratch] by group of a level
  std::vector<KindShare> shares_;  ///< [scratch] by place, then kind
  std::uint64_t shares_due_ = 0;   ///< [scratch] which time rates are set
  WorkingSets working_sets_;
  bool mix_is_due_ = true;  ///< [scratch] the working set has changed in this instant
};

}  // namespace gdsim
