#include <gdsim/model/model.hpp>

#include <gdsim/model/model_state.hpp>
#include <gdsim/model/steps/between_groups.hpp>
#include <gdsim/model/steps/step_end.hpp>
#include <gdsim/model/steps/tiles.hpp>

#include <algorithm>
#include <tuple>

namespace gdsim {
namespace {

/// Sorts ends before begins, then by number, because reports must not depend on the order of events of one rank.
[[gnu::noinline]] void put_in_order(std::vector<LaunchFact>& facts) {
  std::sort(facts.begin(), facts.end(), [](const LaunchFact& a, const LaunchFact& b) {
    return std::tuple(b.kind, a.launch) < std::tuple(a.kind, b.launch);
  });
}

}  // namespace

/// Calls made at every instant would cost as much as what they do, so they are inlined.
[[gnu::always_inline]] inline bool Model::advance_time() {
  const SimTime pending = state_.events.next_time().value_or(kEndOfTime);
  const SimTime due = state_.resources.next().value_or(kEndOfTime);
  if (pending < due || (due == kEndOfTime && !state_.resources.next())) {
    if (pending == kEndOfTime && !state_.events.next_time()) return false;
    state_.events.move_to(pending);
    return true;
  }
  state_.events.move_to(due);
  state_.resources.visit_next([this](std::uint32_t resource) {
    ++events_;
    end_shared_work(state_, resource);
  });
  return true;
}

[[gnu::always_inline]] inline bool Model::begin_instant_inlined() {
  state_.copy_begins = false;
  state_.facts.clear();
  state_.launch_facts.clear();
  if (!state_.events.instant_is_over()) return true;  // the first instant, or one that was interrupted
  if (!advance_time()) return false;
  if (state_.resources.clock_is_due(state_.now())) change_clock(state_);
  return true;
}

void Model::schedule_remote_end(LaunchId launch, SimTime begun, SimTime at) {
  state_.launches.record(launch).begun = begun;
  state_.events.schedule(at, Event::launch_ends(launch));
}

void Model::end_exchange(LaunchId launch, SimTime at) { open_grid_barrier(state_, launch, at); }

std::optional<SimTime> Model::next_time() const {
  const auto pending = state_.events.next_time();
  const auto due = state_.resources.next();
  if (!due || !pending) return due ? due : pending;
  return std::min(*pending, *due);
}

[[gnu::always_inline]] inline void Model::handle_rank_inlined(const ModelEventQueue::Batch& batch) {
  events_ += batch.events.size();
  switch (static_cast<Rank>(batch.rank)) {
    case Rank::recovery_ends: end_recoveries(state_, state_.now()); break;
    case Rank::thread_ends:
      for (const Event& event : batch.events) end_threads(state_, event.cohort());
      break;
    case Rank::launch_ends:
      for (const Event& event : batch.events) end_by_itself(state_, event.launch());
      break;
    case Rank::load_ends:
      for (const Event& event : batch.events) end_load(state_, event.cohort());
      continue_after_stores(state_);
      break;
    case Rank::step_ends: end_steps(state_, batch.events); break;
    case Rank::barrier_opens:
      for (const Event& event : batch.events) open_barrier(state_, event);
      break;
    case Rank::tiles_are_given: give_tiles(state_); break;
    case Rank::launch_arrives:
      for (const Event& event : batch.events) arrive(state_, event.launch());
      break;
    case Rank::turn_is_taken: take_dispatch_turn(state_); break;
  }
  if (!state_.triggered.empty() || !state_.drained.empty() || state_.children.any_launched()) apply_effects_of_steps();
}

[[gnu::always_inline]] inline void Model::end_instant_inlined() {
  state_.resources.settle(state_.now());
  if (!state_.facts.empty() || state_.copy_begins) state_.waits.start(state_.now());
  if (state_.launch_facts.size() > 1) put_in_order(state_.launch_facts);
}

bool Model::begin_instant() { return begin_instant_inlined(); }

void Model::handle_rank(const ModelEventQueue::Batch& batch) { handle_rank_inlined(batch); }

bool Model::run_instant_up_to_guard() {
  const std::uint64_t before = events_;
  if (!begin_instant_inlined()) return false;
  while (!state_.events.instant_is_over() && events_ - before < kMaxEventsAtOnce)
    handle_rank_inlined(state_.events.pop_rank());
  if (state_.events.instant_is_over()) end_instant_inlined();
  return true;
}

void Model::apply_effects_of_steps() {
  for (const LaunchId launch : state_.triggered) state_.arrivals.on_triggered(launch);
  state_.triggered.clear();
  for (const LaunchId launch : state_.drained) await_acknowledgement(state_, launch);
  state_.drained.clear();
  for (const LaunchId child : state_.children.take_launched()) state_.arrivals.submit_child(child);
}

void Model::end_instant() { end_instant_inlined(); }

}  // namespace gdsim
