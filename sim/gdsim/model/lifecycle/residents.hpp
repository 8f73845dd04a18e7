#pragma once

#include <gdsim/base/containers.hpp>
#include <gdsim/device/clock_schedule.hpp>
#include <gdsim/dispatch/turn/turn_decisions.hpp>
#include <gdsim/fit/engines.hpp>
#include <gdsim/model/events.hpp>
#include <gdsim/program/drift.hpp>
#include <gdsim/program/program_plan.hpp>
#include <gdsim/record/observer.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace gdsim {

/// Identifies the tile phase counts of a cohort.
enum class TilePhases : std::uint32_t {};
inline constexpr TilePhases kNoTilePhases{0xFFFF'FFFF};

/// The numbers of arrivals and waits of cohorts at barriers in the bodies of the tiles that they have completed. They
/// are counted here, because a flat program does not determine the tiles that its threads take.
class TilePhaseCounts {
 public:
  /// Adds to the counts of `phases`; creates counts if it has none.
  void add(TilePhases& phases, std::span<const PhaseCount> more) {
    if (more.empty()) return;
    if (phases == kNoTilePhases) phases = counts_.add({});
    std::vector<std::uint64_t>& counts = counts_[phases];
    for (const PhaseCount& added : more) {
      if (counts.size() <= added.at) counts.resize(added.at + std::size_t{1}, 0);
      counts[added.at] += added.count;
    }
  }
  /// Returns the count at position `at`, which is arrivals_at() or waits_at() of a barrier.
  std::uint64_t at(TilePhases phases, std::uint32_t at) const {
    if (phases == kNoTilePhases) return 0;
    const std::vector<std::uint64_t>& counts = counts_[phases];
    return at < counts.size() ? counts[at] : 0;
  }
  TilePhases copy(TilePhases phases) { return counts_.add(counts_[phases]); }
  void release(TilePhases phases) {
    if (phases != kNoTilePhases) counts_.remove(phases);
  }

 private:
  Slab<std::vector<std::uint64_t>, TilePhases> counts_;
};

/// Threads of one work-group on one core.
struct CoreThreads {
  CoreId core{};
  std::uint32_t threads = 0;
  EngineSet engines = EngineSet::none;
};

/// The position of threads in a list of tiles.
struct TilePosition {
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  std::uint64_t tile = kNone;  ///< the tile whose body they execute, or whose cost they pay
  std::uint64_t taken = 0;     ///< number of tiles of the list that they have begun

  friend bool operator==(const TilePosition&, const TilePosition&) = default;
};

/// Identical threads of one work-group on one core, in the same step with the same end; or their asynchronous load or
/// store. They are simulated as one. The members that every step uses come first.
struct Cohort {
  GroupIndex group{};
  CoreThreads on_core;
  std::uint32_t op = 0;          ///< the op that they execute
  CohortIndex next = kNoCohort;  ///< if waiting: the next one at the same barrier, or for the same load
  SimTime since;                 ///< when they began the op
  DrawnFactor factor = kNoFactor;
  /// How far they are in the op. Waiting at a barrier: the phase for whose end they wait. In `issue_parts`: which of
  /// its works are done, see operation.hpp. Else 0.
  std::uint64_t step_progress = 0;
  std::int64_t work = 0;  ///< each thread's amount of its `issue`, `slm` or `atomics` op
  LoadHandle last_load;   ///< their last asynchronous load; or the load or store they represent
  LoadHandle last_store;  ///< their last store for which a fence may wait
  std::array<std::uint64_t, kMaxLoops> iterations{};  ///< completed iterations, by surrounding loop
  std::uint32_t first_thread = 0;                     ///< number of one thread: identifies the cohort in its work-group
  std::uint32_t serving_parity = 0;  ///< 1: they are served first in odd memory, issue and SLM steps; 0: in even ones
  TilePosition tiles;
  std::uint32_t own_number = 0;  ///< number + 1 of a thread that is never merged with others; 0: it may be merged
  /// Number + 1 of the launch of a store, whose work-group may have ended before it; 0: it is no store.
  std::uint32_t store_of = 0;
  TilePhases tile_phases = kNoTilePhases;  ///< their past arrivals and waits at barriers in bodies of tiles

  bool is_alike(const Cohort& other) const {
    return group == other.group && factor == other.factor && op == other.op && step_progress == other.step_progress &&
           on_core.core == other.on_core.core && last_load == other.last_load && last_store == other.last_store &&
           std::equal(iterations.begin(), iterations.end(), other.iterations.begin(), std::equal_to<>()) &&
           tiles == other.tiles && own_number == other.own_number;
  }
};

/// The cohorts of a device. Removed cohorts have no threads.
class Cohorts {
 public:
  explicit Cohorts(EngineSets& engine_sets) : engine_sets_(engine_sets) {}

  Cohort& operator[](CohortIndex index) { return cohorts_[index]; }
  const Cohort& operator[](CohortIndex index) const { return cohorts_[index]; }
  /// Returns the number of positions, including those of removed cohorts.
  std::size_t size() const { return cohorts_.size(); }
  /// Adds a cohort. It gets its own copy of the tile phase counts.
  CohortIndex add(const Cohort& cohort) {
    const CohortIndex index = cohorts_.add(cohort);
    TilePhases& phases = cohorts_[index].tile_phases;
    if (phases != kNoTilePhases) phases = tile_phases_.copy(phases);
    return index;
  }
  void remove(CohortIndex index) {
    cohorts_[index].on_core.threads = 0;
    tile_phases_.release(cohorts_[index].tile_phases);
    cohorts_.remove(index);
  }
  /// Moves `threads` threads of the cohort, which are on these engines, into a new one.
  CohortIndex split(CohortIndex index, std::uint32_t threads, EngineSet engines) {
    const CohortIndex part = add(cohorts_[index]);
    cohorts_[part].on_core.threads = threads;
    cohorts_[part].on_core.engines = engines;
    cohorts_[index].on_core.threads -= threads;
    return part;
  }
  /// Merges the threads of `from` into `to`, and removes `from`.
  void merge(CohortIndex to, CohortIndex from) {
    Cohort& cohort = cohorts_[to];
    const Cohort& merged = cohorts_[from];
    cohort.first_thread = std::min(cohort.first_thread, merged.first_thread);
    cohort.on_core.threads += merged.on_core.threads;
    cohort.on_core.engines = engine_sets_.merge(cohort.on_core.engines, merged.on_core.engines);
    remove(from);
  }
  /// Merges the cohort into one of `among` for which is_alike() returns true, or appends it.
  void merge_or_append(std::vector<CohortIndex>& among, CohortIndex cohort) {
    const auto alike = std::find_if(among.begin(), among.end(),
                                    [&](CohortIndex other) { return cohorts_[other].is_alike(cohorts_[cohort]); });
    if (alike == among.end()) {
      among.push_back(cohort);
    } else {
      merge(*alike, cohort);
    }
  }
  EngineSets& engine_sets() { return engine_sets_; }
  TilePhaseCounts& tile_phases() { return tile_phases_; }
  const TilePhaseCounts& tile_phases() const { return tile_phases_; }

 private:
  EngineSets& engine_sets_;
  Slab<Cohort, CohortIndex> cohorts_;
  TilePhaseCounts tile_phases_;
};

/// A resident work-group: at least one thread has been placed and not all have ended.
struct ResidentGroup {
  LaunchId launch{};
  KernelId kernel{};
  WorkGroupId number{};
  CoreId core{};            ///< of its first thread
  Wave wave = Wave::later;  ///< `first` if no thread of the launch had ended on this core when it was placed
  std::uint32_t threads = 0;
  std::uint32_t placed = 0;
  std::uint32_t ended = 0;
  bool has_triggered = false;             ///< it has triggered or ended
  std::uint32_t first_context = 0;        ///< of its contiguous range of contexts, if contexts are held in ranges
  Bytes slm;                              ///< allocated
  const ProgramPlan* plan = nullptr;      ///< of its program
  std::span<const std::int64_t> amounts;  ///< by op
  DrawnFactor factor = kNoFactor;         ///< applied to the amounts
  std::uint32_t serving_parity = 0;       ///< 1: it is served first in odd memory, issue and SLM steps; 0: in even ones
};

/// Appends a fact about threads of the work-group. The reference is valid until the next call. The fact is built in
/// place, because a copy of data just written stalls the processor.
inline Fact& add_fact(std::vector<Fact>& facts, ThreadEvent kind, const ResidentGroup& group,
                      const CoreThreads& on_core) {
  Fact& fact = facts.emplace_back();
  fact.kind = kind;
  fact.core = on_core.core;
  fact.threads = on_core.threads;
  fact.launch = group.launch;
  fact.work_group = group.number;
  fact.slm = group.slm;
  return fact;
}

/// The resident work-groups of a device, and the cores that they are on.
class Residents {
 public:
  explicit Residents(std::size_t cores) : filling_(cores) {}

  ResidentGroup& operator[](GroupIndex index) { return groups_[index]; }
  const ResidentGroup& operator[](GroupIndex index) const { return groups_[index]; }
  /// Returns the number of positions, including those of ended work-groups, which have no threads.
  std::size_t size() const { return groups_.size(); }

  /// Makes the grant's work-group resident.
  GroupIndex open(const Grant& grant, KernelId kernel, Bytes slm);
  /// Adds the grant's core to its work-group, which must be resident.
  void add_core(const Grant& grant);
  /// Returns the work-group of the core's last grant.
  GroupIndex filling(CoreId core) const { return filling_[index_of(core)]; }
  /// Removes a work-group whose threads have all ended.
  void close(GroupIndex index);

  /// Returns the cores of a spread work-group other than its first.
  std::span<const CoreId> more_cores(GroupIndex group) const;
  /// Returns the positions of the work-groups that have not ended, by launch and number.
  std::vector<GroupIndex> in_order() const;

 private:
  Slab<ResidentGroup, GroupIndex> groups_;
  std::vector<GroupIndex> filling_;              ///< by core: the work-group of the last grant
  std::vector<std::vector<CoreId>> more_cores_;  ///< by group, extended only for spread groups
};

/// Threads that have ended and keep their contexts until their work-group ends (`release: work_group`).
class HeldContexts {
 public:
  struct Held {
    CoreThreads on_core;
    SimTime since;
  };

  void hold(GroupIndex group, const CoreThreads& on_core, SimTime now) {
    const auto index = static_cast<std::size_t>(group);
    if (by_group_.size() <= index) by_group_.resize(index + 1);
    by_group_[index].push_back({on_core, now});
  }
  std::span<Held> held_by(GroupIndex group) {
    const auto index = static_cast<std::size_t>(group);
    return index < by_group_.size() ? std::span<Held>(by_group_[index]) : std::span<Held>();
  }
  void clear(GroupIndex group) { by_group_[static_cast<std::size_t>(group)].clear(); }

 private:
  std::vector<std::vector<Held>> by_group_;
};

// Rule, to the picosecond: recovery.
//
// What is released at an instant (contexts, registers, slot, barriers, SLM) can be taken again `recovery` later, and,
// if the program of its work-group has a store, the memory's `store_drain` after that: both together are one time. A
// thread that has ended is not resident, its launch and those `after` it do not wait, and tables show its contexts as
// free. Admission, `most_room`, `least_loaded`, `core_sharing` and `slm_reconfiguration` count what recovers as taken.
// The end of a recovery has the rank of a thread's end and causes a turn; after the end of the last launch it is not
// waited for.

/// Resources of a core that ended threads or an ended work-group held. They can be taken again only from `at` on.
struct Recovery {
  SimTime at;
  LaunchId launch{};
  std::uint32_t group_threads = 0;  ///< number of threads of the work-group
  std::uint32_t first_context = 0;  ///< of the work-group's range of contexts
  CoreThreads on_core;              ///< 0 threads: the other resources of the work-group
};

/// All recoveries of work-groups that store, or of those that do not, ordered by time.
class Recoveries {
 public:
  /// `times` are the durations of a recovery by clock of the schedule.
  Recoveries(ClockSchedule clocks, std::vector<Duration> times)
      : clocks_(std::move(clocks)), times_(std::move(times)) {}

  /// Returns the time at which resources released at `now` have recovered.
  SimTime end(SimTime now) const {
    return clocks_.end(now, [this](std::size_t clock) { return times_[clock]; });
  }
  /// Adds a recovery. Returns true if no other one of these ends at the same time.
  bool add(const Recovery& recovery) {
    const bool is_first = waiting_.empty() || waiting_.back().at != recovery.at;
    waiting_.push_back(recovery);
    return is_first;
  }
  /// Removes each recovery that is over by `now`, and calls `visit(recovery)`.
  template <class Visit>
  void take_until(SimTime now, Visit visit) {
    for (; !waiting_.empty() && waiting_.front().at <= now; waiting_.pop_front()) visit(waiting_.front());
  }

 private:
  ClockSchedule clocks_;
  std::vector<Duration> times_;
  std::deque<Recovery> waiting_;
};

}  // namespace gdsim
