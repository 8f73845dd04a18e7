#include <gdsim/model/process.hpp>

#include <gdsim/model/model_state.hpp>

#include <algorithm>
#include <utility>

namespace gdsim {
namespace {

ModelInput with_own_host(ModelInput input) {
  input.host_has_own_time = true;
  return input;
}

bool is_of_host(Rank rank) { return rank == Rank::launch_ends || rank == Rank::launch_arrives; }

}  // namespace

Process::Process(ModelInput input) : model_(with_own_host(std::move(input))) {
  model_.state().waits.convert_by(times_);
}

std::optional<SimTime> Process::next_time() const {
  const ModelState& state = model_.state();
  std::optional<SimTime> next = state.host_events.next_time();
  if (!state.host_events.instant_is_over()) next = state.host_events.now();
  if (!has_device_) return next;
  std::optional<SimTime> on_device = model_.next_time();
  if (!state.events.instant_is_over()) on_device = state.now();
  if (!on_device) return next;
  return next ? std::min(*next, *on_device + ahead_) : *on_device + ahead_;
}

void Process::take_host_events() {
  ModelState& state = model_.state();
  while (!state.host_events.instant_is_over())
    for (const Event& event : state.host_events.pop_rank().events) state.events.schedule_now(event);
}

void Process::handle(const ModelEventQueue::Batch& batch) {
  const auto rank = static_cast<Rank>(batch.rank);
  const bool waits = has_device_ ? is_draining_ && rank == Rank::turn_is_taken : !is_of_host(rank);
  if (waits) {
    kept_.insert(kept_.end(), batch.events.begin(), batch.events.end());
  } else {
    model_.handle_rank(batch);
  }
}

bool Process::begin_own_instant(SimTime at) {
  ModelState& state = model_.state();
  if (!has_device_) return false;
  if (!state.events.instant_is_over()) return model_.begin_instant();
  if (own(at) > state.now() && !state.host_events.instant_is_over()) model_.schedule_empty_instant(own(at));
  return model_.next_time() == own(at) && model_.begin_instant();
}

void Process::run_instant(SimTime at) {
  ModelState& state = model_.state();
  if (at > state.host_events.now()) state.host_events.move_to(at);
  state.launches.set_host_ahead(has_device_ ? ahead_ : at - state.now());
  if (!begin_own_instant(at)) {
    state.facts.clear();
    state.launch_facts.clear();
    state.copy_begins = false;
  }
  for (take_host_events(); !state.events.instant_is_over(); take_host_events()) handle(state.events.pop_rank());
  if (!has_device_ || is_draining_) begin_copies(state);
  model_.end_instant();
  contexts_.apply(state.facts);
}

void Process::resume(SimTime at) {
  ModelState& state = model_.state();
  times_.go_on(state.now(), at);
  ahead_ = at - state.now();
  has_device_ = true;
  is_draining_ = false;
  for (const Event& event : kept_) state.events.schedule_now(event);
  kept_.clear();
}

void Process::suspend(SimTime at) {
  ModelState& state = model_.state();
  if (own(at) > state.now()) state.events.move_to(own(at));
  has_device_ = false;
}

void Process::drain(SimTime at) {
  ModelState& state = model_.state();
  is_draining_ = true;
  state.dispatching.hold(own(at));
}

}  // namespace gdsim
