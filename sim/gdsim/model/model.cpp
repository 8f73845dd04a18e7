#include <gdsim/model/model.hpp>

#include <gdsim/model/lifecycle/dispatch_turn.hpp>
#include <gdsim/model/lifecycle/end_of_work.hpp>
#include <gdsim/model/steps/barrier_open.hpp>
#include <gdsim/model/steps/between_groups.hpp>
#include <gdsim/model/steps/clock_change.hpp>
#include <gdsim/model/steps/load_end.hpp>
#include <gdsim/model/steps/step_end.hpp>
#include <gdsim/model/steps/tiles.hpp>

#include <algorithm>
#include <stdexcept>
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

bool Model::begin_instant() {
  state_.turn_was_taken = state_.copy_begins = false;
  state_.facts.clear();
  state_.launch_facts.clear();
  if (!state_.events.instant_is_over()) return true;  // the first instant, or one that was interrupted
  const auto due = state_.resources.next();
  if (const auto pending = state_.events.next_time(); pending && (!due || *pending < *due)) {
    state_.events.move_to(*pending);
  } else {
    if (!due) return false;
    const auto wakes = [this](std::uint32_t resource) {
      ++events_;
      end_shared_work(state_, resource);
    };
    state_.events.move_to(*due);
    state_.resources.visit_next(wakes);
  }
  if (state_.resources.clock_is_due(state_.now())) change_clock(state_);
  return true;
}

void Model::schedule_remote_end(LaunchId launch, SimTime begun, SimTime at) {
  state_.launches.record(launch).begun = begun;
  state_.events.schedule(at, Event::copy_ends(launch));
}

void Model::end_exchange(LaunchId launch, SimTime at) { open_grid_barrier(state_, launch, at); }

std::optional<SimTime> Model::next_time() const {
  const auto pending = state_.events.next_time();
  const auto due = state_.resources.next();
  if (!due || !pending) return due ? due : pending;
  return std::min(*pending, *due);
}

void Model::handle(const GpuQueue::Batch& batch) {
  events_ += batch.events.size();
  switch (static_cast<Rank>(batch.rank)) {
    case Rank::recovery_ends: end_recoveries(state_, state_.now()); break;
    case Rank::thread_ends:
      for (const Event& event : batch.events) end_threads(state_, event.cohort());
      break;
    case Rank::copy_ends:
      for (const Event& event : batch.events) end_copy(state_, event.launch());
      break;
    case Rank::load_ends:
      for (const Event& event : batch.events) end_load(state_, event.cohort());
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
  pass_on_from_steps();
}

void Model::end_instant() {
  state_.resources.settle(state_.now());
  if (!state_.facts.empty() || state_.copy_begins) state_.waits.start(state_.now());
  if (state_.launch_facts.size() > 1) put_in_order(state_.launch_facts);
}

}  // namespace gdsim
