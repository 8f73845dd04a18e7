#pragma once

#include <gdsim/device/clock_schedule.hpp>
#include <gdsim/dispatch/turn/turn_decisions.hpp>
#include <gdsim/model/lifecycle/cohort.hpp>
#include <gdsim/record/observer.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <utility>
#include <vector>

namespace gdsim {

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
