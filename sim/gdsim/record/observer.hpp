#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>

#include <cstdint>
#include <span>

namespace gdsim {

/// The kinds of events of a work-group's threads on a core.
enum class ThreadEvent : std::uint8_t {
  placed,    ///< threads took contexts and run
  waiting,   ///< running threads began to wait at a barrier
  resumed,   ///< waiting threads run again
  ended,     ///< running threads reached the end of their program
  released,  ///< contexts of ended threads can be taken again, perhaps after a recovery
  saved,     ///< a work-group's context was saved and left its core: another process has the device
  restored   ///< the work-group is on its core again, as it was
};

/// One event of one instant. A plain struct, since observers get many at once.
struct Fact {
  ThreadEvent kind{};
  bool opens_core = false;   ///< with `placed`: the work-group's first threads on this core; its resources were taken
  bool opens_group = false;  ///< with `placed`: the first threads of the whole work-group
  bool fills_group = false;  ///< with `placed`: now all its threads are placed
  /// Its resources on this core were released: set on its last `released` here; if no context is released with them,
  /// that fact has 0 threads.
  bool closes_core = false;
  bool closes_group = false;  ///< the work-group has ended
  CoreId core{};
  std::uint32_t threads = 0;
  LaunchId launch{};
  std::uint32_t running = 0;  ///< with `saved` and `restored`: the number of `threads` that execute a step
  WorkGroupId work_group{};
  Bytes slm;  ///< the memory that the work-group occupies; the same in all its facts
};

/// A launch's first thread was placed, its copy began, or it has ended, children included.
struct LaunchFact {
  enum class Event : std::uint8_t { first_dispatched, ended };
  Event kind{};
  LaunchId launch{};
};

/// The amount of detail that an observer gets. More detail makes the run slower.
enum class Detail : std::uint8_t {
  launches,   ///< first threads and ends of launches, and occasional progress; the cost is negligible
  everything  ///< every instant at which threads, launches or the slots of work-groups change
};

/// The contents of one report to an observer. Valid during the call.
struct Instant {
  SimTime time;
  std::span<const Fact> facts;           ///< in the order in which they happened; empty with Detail::launches
  std::span<const LaunchFact> launches;  ///< first threads and ends at this time, copies included
  std::uint64_t work_groups_ended = 0;   ///< of all launches, up to now
  std::uint64_t facts_so_far = 0;        ///< the number of all facts up to now, whatever the detail
};

/// Observes a run. It cannot influence the run except by requesting a stop.
///
///     struct EndOfLaunches : gdsim::Observer {
///       void on_instant(const gdsim::Instant& now) override {
///         for (const gdsim::LaunchFact& fact : now.launches)
///           if (fact.kind == gdsim::LaunchFact::Event::ended) std::cout << gdsim::to_text(now.time) << '\n';
///       }
///     };
///
/// A run calls its observers from its own thread. An observer of several concurrent runs must synchronise its data. An
/// exception thrown by on_instant() ends the run and reaches the caller of simulate().
class Observer {
 public:
  virtual ~Observer() = default;

  /// Is called once, when a run begins.
  virtual Detail detail() const { return Detail::launches; }
  /// The times of successive calls never decrease.
  virtual void on_instant(const Instant& now) = 0;
};

}  // namespace gdsim
