#pragma once

#include <gdsim/model/lifecycle/dispatch_turn.hpp>
#include <gdsim/model/model_state.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace gdsim {

/// A device under a workload in time: an event loop over instants. What happens at an instant follows from ModelState
/// and the files that work on it.
class Model {
 public:
  explicit Model(ModelInput input) : state_(std::move(input)) {}
  /// Goes on from where `other` is: from now on both do the same. Both are between two instants, and nothing drives
  /// them. Throws std::invalid_argument, and changes nothing, if the other was not made of the same parts of a
  /// Compiled, if a placement has no copy(), or if one of both keeps series of waits. After anything else that is
  /// thrown, this model may only be destroyed.
  void continue_from(const Model& other);

  /// Everything of the next instant happens, rank by rank; false: nothing is pending any more. `gives_up(events)` is
  /// asked before each rank, with the events of this instant so far: true ends the instant.
  template <class GivesUp>
  bool next_instant(GivesUp gives_up);
  bool next_instant() {
    return next_instant([](std::uint64_t) { return false; });
  }

  // The parts of next_instant(), for a caller that handles the events of an instant by itself.
  /// Moves to the next instant, at which first of all work on shared resources is done; false: nothing is pending any
  /// more.
  bool begin_instant();
  void handle(const GpuQueue::Batch& batch);
  void end_instant();

  /// A launch of another device, which began at `begun`, ends at `at`: now, or before anything else happens here.
  void remote_ends(LaunchId launch, SimTime begun, SimTime at);

  /// A copy to another device ends at `at`, likewise.
  void link_copy_ends(LaunchId launch, SimTime at) { state_.events.schedule(at, Event::copy_ends(launch)); }
  /// The exchange of a part of a collective ends at `at`, likewise.
  void exchange_ends(LaunchId launch, SimTime at);
  /// Copies to other devices that have begun since the last call, and parts of collectives of which all threads wait
  /// for the exchange.
  std::vector<LaunchId> take_link_copies() { return std::exchange(state_.link_copies, {}); }
  std::vector<LaunchId> take_exchanges() { return std::exchange(state_.exchanges, {}); }
  /// One of both has something.
  bool gave_to_links() const { return !state_.link_copies.empty() || !state_.exchanges.empty(); }

  /// Nothing happens before this time; nothing: nothing will happen any more.
  std::optional<SimTime> next_time() const;
  /// The same, or `never`, which is later than all that happens.
  SimTime next_time_or(SimTime never) const {
    const auto due = state_.resources.next();
    return std::min(state_.events.next_time().value_or(never), due.value_or(never));
  }
  /// An instant at which nothing happens unless something else is pending then.
  void schedule_empty_instant(SimTime at) { state_.events.schedule(at, Event::dispatch_turn()); }

  SimTime now() const { return state_.now(); }
  /// What happened to threads at this instant, in this order.
  std::span<const Fact> facts() const { return state_.facts; }
  /// Launches that began or ended at this instant: ends first, then by number.
  std::span<const LaunchFact> launch_facts() const { return state_.launch_facts; }
  /// A copy has begun at this instant.
  bool copy_began() const { return state_.copy_begins; }
  /// Events that were handled.
  std::uint64_t events() const { return events_; }
  /// Every launch of this device has ended.
  bool is_done() const { return state_.launches.are_done(); }

  ModelState& state() { return state_; }
  const ModelState& state() const { return state_; }

 private:
  /// What steps have caused for launches happens.
  void pass_on_from_steps() {
    for (const LaunchId launch : state_.triggered) state_.arrivals.triggered(launch);
    state_.triggered.clear();
    for (const LaunchId child : state_.children.take_launched()) state_.arrivals.submit_child(child);
  }

  ModelState state_;
  std::uint64_t events_ = 0;
};

template <class GivesUp>
bool Model::next_instant(GivesUp gives_up) {
  const std::uint64_t before = events_;
  if (!begin_instant()) return false;
  while (!state_.events.instant_is_over() && !gives_up(events_ - before)) handle(state_.events.pop_rank());
  end_instant();
  return true;
}

}  // namespace gdsim
