#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/dispatch/dispatch_state.hpp>
#include <gdsim/fit/engines.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// Takes the contexts of `threads` threads of `group`, whose `remaining` must not count them any more. before_change()
/// must have been called. The dispatcher is then busy for as long as placing `work_groups` work-groups takes.
Grant& grant_threads(DispatchState& state, Dispatcher& dispatcher, const PartialGroup& group, CoreId core,
                     std::uint32_t threads, std::uint64_t work_groups = 1);
/// Ends the launch's ownership of the core if the core is empty and no resource of it is in recovery.
void release_if_empty(DispatchState& state, CoreId core);

/// Places further threads of the dispatcher's partially placed work-groups, until it is busy.
void complete_partials(DispatchState& state, Dispatcher& dispatcher);

// Rule, to the picosecond: spread work-groups.
//
// A spread work-group goes to the cores that `placement` chooses, one after the other. It takes the resources of a
// work-group on each, and releases them at its end. While threads of it are left, nothing else is dispatched; it
// holds no port.

/// Places the launch's next work-group. Returns false if it, or the rest of one that was begun, must wait.
bool place_next_work_group(DispatchState& state, Dispatcher& dispatcher, LaunchId launch);
/// Places threads of the spread work-group while one fits on some core. Returns true if all are placed. The dispatcher
/// must not place anything else before.
bool continue_spreading(DispatchState& state, Dispatcher& dispatcher);

/// Is called before the contents of a core change, so that integrals of its contents over time can be updated. An
/// implementation must not affect decisions.
class CoreListener {
 public:
  virtual void before_change(CoreId core, SimTime now) = 0;

 protected:
  CoreListener() = default;
  CoreListener(const CoreListener&) = default;
  CoreListener& operator=(const CoreListener&) = default;
  ~CoreListener() = default;
};

/// A decision of a dispatcher: these threads of this work-group are placed on this core.
struct Grant {
  LaunchId launch{};
  WorkGroupId work_group{};
  CoreId core{};
  CoreId first_core{};                  ///< the core of the work-group's first threads
  std::uint32_t threads = 0;            ///< number of threads placed now
  std::uint32_t group_threads = 0;      ///< number of threads of the work-group
  std::uint32_t first_context = 0;      ///< of its contiguous range of contexts, if contexts are held in ranges
  EngineSet engines = EngineSet::none;  ///< on the core, if the simulation distinguishes engines
  bool opens_core = false;              ///< true for its first threads on this core, which take its group resources
  bool opens_group = false;             ///< true for its first threads
  bool fills_group = false;             ///< true if all its threads are placed now
};

/// The ports of the device: slots of partially placed work-groups, shared by all its dispatchers.
class Ports {
 public:
  explicit Ports(std::optional<std::uint64_t> limit) : limit_(limit) {}

  bool has_free() const { return !limit_ || held_ < *limit_; }
  void hold() { ++held_; }
  void release() { --held_; }

 private:
  std::optional<std::uint64_t> limit_;
  std::uint64_t held_ = 0;
};

/// The outcome of a turn for a launch.
enum class TurnVerdict : std::uint8_t {
  preparing,         ///< it was not named: it has begun, and its launch cost is not paid
  left_over,         ///< it was not named: all its work-groups have begun, but threads of them are not placed
  pays_launch_cost,  ///< it was named, begins or has begun, and its launch cost is not paid
  no_dispatcher,     ///< it would be next if the dispatchers that are busy were not
  no_port,           ///< no port is free
  no_core,           ///< no core of the dispatcher takes its next work-group, or the rest of its spread one
  spreads,           ///< some threads of a work-group were placed, which keeps the dispatcher busy; others are left
  placed,            ///< a work-group was placed, or its first threads, or the last of a spread one
  exhausted,         ///< it has no further work-group; threads of its last ones may not be placed
};

/// A launch with its verdict, and the number of the dispatcher that gave it, if any.
struct TurnAnswer {
  LaunchId launch{};
  TurnVerdict verdict{};
  std::uint32_t dispatcher = 0;
};

/// The decisions of a dispatch turn, without reasons: an answer for every launch that it names, in the order of naming.
struct TurnDecisions {
  std::vector<Grant> grants;
  std::vector<TurnAnswer> answers;
  std::vector<SimTime> next_turns;  ///< when dispatchers are no longer busy, or launches are prepared; in no order

  void begin_turn() {
    grants.clear();
    answers.clear();
    next_turns.clear();
  }
  void answer(LaunchId launch, TurnVerdict verdict, std::uint32_t dispatcher = 0) {
    answers.push_back({launch, verdict, dispatcher});
  }
};

// Rule, to the picosecond: a turn.
//
// A turn visits every dispatcher that is not busy once, cyclically, beginning after the last one that had placed
// something when the turn began (at first with number 0). A visit ends when the dispatcher is busy or nothing more
// fits:
//
// 1. Its partial work-groups get the freed contexts, in the order of their cores.
//
// 2. Its spread work-group, if there is one, gets what is left.
//
// 3. Kernel choice names launches, each as if a turn began; a launch that cannot place anything with this dispatcher
//    is blocked for this visit only.
//
// Visits are repeated, beginning after the last one that placed something, until a whole cycle of them places nothing.
// If a dispatcher is busy then, kernel choice is made once more, without a placement: the launch that it names begins
// (choice/begun_launches).

/// Begins a turn and clears the decisions of the last one. Returns false if nothing has changed since: then the turn is
/// over, because it would decide the same.
bool begin_turn(DispatchState& state, SimTime now);
/// Takes a turn after begin_turn(): completes partially placed work-groups, then places new ones while it can.
void take_turn(DispatchState& state);

}  // namespace gdsim
