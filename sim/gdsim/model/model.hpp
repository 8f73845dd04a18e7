#pragma once

#include <gdsim/model/model_state.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace gdsim {

/// Livelock guard: an instant is interrupted only after this many of its events.
inline constexpr std::uint64_t kMaxEventsAtOnce = 1'000'000;

/// Simulates a device under a workload: an event loop over instants. ModelState and the functions on it define the
/// effects of events.
class Model {
 public:
  explicit Model(ModelInput input) : state_(std::move(input)) {}

  /// Executes all events of the next instant, rank by rank. Returns true if there was one. After kMaxEventsAtOnce
  /// events, calls `gives_up()` before each rank, and ends the instant if it returns true.
  template <class GivesUp>
  bool next_instant(GivesUp gives_up);
  bool next_instant() {
    return next_instant([] { return false; });
  }

  // The parts of next_instant(), for a caller that handles the events of an instant by itself.
  /// Moves to the next instant and ends the completed work on shared resources. Returns true if there is one, false if
  /// no event is pending.
  bool begin_instant();
  /// Handles events of one rank at this instant: the place of their type in the order of events.
  void handle_rank(const ModelEventQueue::Batch& batch);
  /// Must be called after the last rank of the instant.
  void end_instant();

  /// Schedules the end, at `at`, of a launch of another device that began at `begun`. `at` must be now, or before any
  /// other event here.
  void schedule_remote_end(LaunchId launch, SimTime begun, SimTime at);

  /// Schedules the end of a copy to another device, with the condition of schedule_remote_end().
  void schedule_link_copy_end(LaunchId launch, SimTime at) { state_.events.schedule(at, Event::launch_ends(launch)); }
  /// Ends the exchange of a part of a collective at `at`, with the condition of schedule_remote_end().
  void end_exchange(LaunchId launch, SimTime at);
  /// Return the copies to other devices, and the parts of collectives whose threads all wait for the exchange, that
  /// have begun since the last call.
  std::vector<LaunchId> take_link_copies() { return std::exchange(state_.link_copies, {}); }
  std::vector<LaunchId> take_exchanges() { return std::exchange(state_.exchanges, {}); }
  /// Returns true if one of these two lists is not empty.
  bool has_work_for_links() const { return !state_.link_copies.empty() || !state_.exchanges.empty(); }

  /// Returns a time before which no event happens, or nullopt if no event is pending.
  std::optional<SimTime> next_time() const;
  /// As next_time(), but returns `never`, which must be later than all events, instead of nullopt.
  SimTime next_time_or(SimTime never) const {
    const auto due = state_.resources.next();
    return std::min(state_.events.next_time().value_or(never), due.value_or(never));
  }
  /// Adds an instant without events of its own.
  void schedule_empty_instant(SimTime at) { state_.events.schedule(at, Event::turn_is_taken()); }

  SimTime now() const { return state_.now(); }
  /// Returns the facts about threads at this instant, in order.
  std::span<const Fact> facts() const { return state_.facts; }
  /// Returns the launches whose first thread was placed, whose copy began, or that ended at this instant: ends first,
  /// then by number.
  std::span<const LaunchFact> launch_facts() const { return state_.launch_facts; }
  /// Returns true if a copy has begun at this instant.
  bool copy_began() const { return state_.copy_begins; }
  /// Returns the number of events handled so far.
  std::uint64_t events() const { return events_; }
  /// Returns true if every launch of this device has ended.
  bool is_done() const { return state_.launches.are_done(); }

  ModelState& state() { return state_; }
  const ModelState& state() const { return state_; }

 private:
  /// Moves time to the next event or wake-up. Returns false if nothing is pending.
  bool advance_time();
  // The parts of an instant, inlined where this class itself calls them.
  bool begin_instant_inlined();
  void handle_rank_inlined(const ModelEventQueue::Batch& batch);
  void end_instant_inlined();
  /// Begins the next instant and handles its ranks. Ends it, unless ranks are left after kMaxEventsAtOnce events.
  /// Returns true if there was one.
  bool run_instant_up_to_guard();
  /// Passes the effects of steps on to launches.
  void apply_effects_of_steps();

  ModelState state_;
  std::uint64_t events_ = 0;
};

template <class GivesUp>
bool Model::next_instant(GivesUp gives_up) {
  if (!run_instant_up_to_guard()) return false;
  if (state_.events.instant_is_over()) return true;
  while (!state_.events.instant_is_over() && !gives_up()) handle_rank(state_.events.pop_rank());
  end_instant();
  return true;
}

}  // namespace gdsim
