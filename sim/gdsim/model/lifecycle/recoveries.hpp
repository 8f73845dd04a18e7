#pragma once

#include <gdsim/device/clock_schedule.hpp>
#include <gdsim/model/lifecycle/cohort.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <utility>
#include <vector>

namespace gdsim {

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
  std::span<Held> of(GroupIndex group) {
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
