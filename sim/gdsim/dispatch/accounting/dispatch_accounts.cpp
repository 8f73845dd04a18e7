#include <gdsim/dispatch/accounting/dispatch_accounts.hpp>

#include <gdsim/dispatch/queries/dispatcher_wait_reason.hpp>

namespace gdsim {

DispatchAccounts::DispatchAccounts(const DeviceSpec& device, const DispatchState& state,
                                   std::vector<LaunchRecord>& records, KeepAccounts keep)
    : keep_(keep),
      state_(state),
      idle_(state.bank.cores.size()),
      shared_(state.workload, state.classes_by_shared_request, state.classes_by_kernel_and_cores,
              state.rules.kernel_choice == KernelChoice::round_robin, records),
      waits_(records, shared_) {
  for (std::size_t i = 0; are_kept() && i < state.dispatchers.size(); ++i)
    by_dispatcher_.push_back({IdleWatch(device, state, state.dispatchers[i], idle_), std::nullopt});
}

void DispatchAccounts::arrive(LaunchId launch, SimTime ready) {
  if (!are_kept()) return;
  shared_.on_arrived(launch, ready);
  if (shared_.contains(launch)) arrived_.push_back(launch);
}

void DispatchAccounts::begin_turn() {
  if (!are_kept()) return;
  waits_.settle(state_->now);
  for (const LaunchId launch : arrived_) renew_head(launch);
  arrived_.clear();
  read_ = 0;
  next_if_not_busy_.reset();
}

void DispatchAccounts::read_answers() {
  const std::vector<TurnAnswer>& answers = state_->decisions.answers;
  while (read_ < answers.size()) read(answers[read_++]);
}

void DispatchAccounts::read(const TurnAnswer& answer) {
  const SimTime now = state_->now;
  const auto note_request = [&] {
    by_dispatcher_[answer.dispatcher].has_requested = true;
    shared_.on_requested();
  };
  if (answer.verdict == TurnVerdict::preparing) return waits_.block(answer.launch, WaitReason::launch_cost, now);
  if (answer.verdict == TurnVerdict::left_over) return waits_.block(answer.launch, WaitReason::contexts, now);
  shared_.on_named(answer.launch);
  switch (answer.verdict) {
    case TurnVerdict::preparing:
    case TurnVerdict::left_over: break;
    case TurnVerdict::pays_launch_cost: return waits_.block(answer.launch, WaitReason::launch_cost, now);
    case TurnVerdict::no_dispatcher:
      next_if_not_busy_ = answer.launch;
      return waits_.block(answer.launch, WaitReason::dispatch_interval, now);
    case TurnVerdict::no_port: return refuse(answer.launch, WaitReason::ports);
    case TurnVerdict::no_core:
      note_request();
      return refuse(answer.launch,
                    dispatcher_wait_reason(*state_, state_->dispatchers[answer.dispatcher], answer.launch));
    case TurnVerdict::spreads: return note_request();
    case TurnVerdict::placed: note_request(); return on_placed(answer);
    case TurnVerdict::exhausted: return on_exhausted(answer.launch);
  }
}

/// Records that the launch was named and could place nothing.
void DispatchAccounts::refuse(LaunchId launch, WaitReason reason) {
  if (shared_.contains(launch)) {
    shared_.refuse(launch, reason);
  } else {
    waits_.block(launch, reason, state_->now);
  }
}

/// Updates the reasons of launches that were refused before this placement.
void DispatchAccounts::on_placed(const TurnAnswer& answer) {
  if (!shared_.is_on()) return;
  const Dispatcher& dispatcher = state_->dispatchers[answer.dispatcher];
  shared_.on_placed([&](LaunchId refused) {
    return state_->ports.has_free() ? dispatcher_wait_reason(*state_, dispatcher, refused) : WaitReason::ports;
  });
  if (shared_.contains(answer.launch) && !state_->progress.has_next(answer.launch)) on_exhausted(answer.launch);
}

/// Records that the launch has no further work-group to place. Threads of its last ones may be unplaced.
void DispatchAccounts::on_exhausted(LaunchId launch) {
  const bool filled = state_->progress.is_fully_placed(launch);
  if (!filled && shared_.contains(launch)) {
    waits_.block_exhausted(launch, WaitReason::contexts, state_->now);
  } else if (!filled) {
    waits_.block(launch, WaitReason::contexts, state_->now);
  }
  if (shared_.contains(launch)) renew_head(launch);
}

/// Updates the first waiting launch of this launch's kind.
void DispatchAccounts::renew_head(LaunchId launch) { shared_.set_head(launch, state_->chooser->head_of_kind(launch)); }

/// Returns the launch that was named last of those that were refused in this turn and may use the dispatcher's cores,
/// or nullopt if there is none.
std::optional<LaunchId> DispatchAccounts::last_refused(const Dispatcher& dispatcher) {
  const auto own = waits_.last_refused([&](LaunchId launch) {
    const auto core = state_->selections.of(launch).next(dispatcher.cores.first);
    return state_->progress.has_next(launch) && core && dispatcher.cores.contains(static_cast<CoreId>(*core));
  });
  const auto shared = shared_.last_refused();
  if (!own || !shared)
    return own ? std::optional(own->launch) : shared ? std::optional(shared->position.second) : std::nullopt;
  return own->stop < shared ? shared->position.second : own->launch;
}

/// Returns the launch whose request would be the last of the turn if each launch made its own request. If that launch
/// has nothing left to place, returns the one that was refused last. Returns nullopt if it made the last actual
/// request, or if no launch waits.
std::optional<LaunchId> DispatchAccounts::last_to_request(const Dispatcher& dispatcher, const DispatcherAccount& own) {
  if (own.last && own.last->waits(*state_, dispatcher))
    return state_->ports.has_free() ? shared_.last_to_request() : std::nullopt;
  return dispatcher.is_busy() ? next_if_not_busy_ : last_refused(dispatcher);
}

/// Returns the request that explains why contexts of the dispatcher's cores stay free until the next turn, or null if
/// no launch waits.
const LastRequest* DispatchAccounts::find_request(const Dispatcher& dispatcher, DispatcherAccount& own) {
  if (own.has_requested && !(own.last && own.last->is_made_by(dispatcher))) own.last = LastRequest::made_by(dispatcher);
  own.has_requested = false;
  if (const auto launch = last_to_request(dispatcher, own)) own.last = LastRequest::of(*state_, dispatcher, *launch);
  return own.last && own.last->waits(*state_, dispatcher) ? &*own.last : nullptr;
}

void DispatchAccounts::end_turn() {
  if (!are_kept()) return;
  read_answers();
  if (state_->dispatchers.size() > 1 || !state_->remainders.empty())
    waits_.drop_if([this](LaunchId launch) { return state_->progress.is_fully_placed(launch); });
  for (std::size_t i = 0; i < by_dispatcher_.size(); ++i) {
    const Dispatcher& dispatcher = state_->dispatchers[i];
    const LastRequest* request = find_request(dispatcher, by_dispatcher_[i]);
    std::optional<WaitReason> held_up;
    if (!state_->ports.has_free()) held_up = WaitReason::ports;
    if (dispatcher.is_busy()) held_up = WaitReason::dispatch_interval;
    by_dispatcher_[i].watch.on_turn_end(request, held_up, state_->now);
  }
}

/// Updates the reason of the launch that was refused alone and still waits.
void DispatchAccounts::on_incremental_turn() {
  const auto& cores = state_->decisions.still_refusing;
  if (!are_kept() || cores.empty()) return;
  const LaunchId launch = *state_->only_refused_launch;
  const WaitReason reason = cores.front().second;
  if (!waits_.waits_for(launch, reason)) {
    waits_.settle(state_->now);
    waits_.block(launch, reason, state_->now);
  }
  for (const auto& [core, why] : cores) by_dispatcher_.front().watch.on_refusal(core, why, state_->now);
}

void DispatchAccounts::hold(SimTime now) {
  if (!are_kept()) return;
  waits_.settle(now);
  for (std::size_t i = 0; i < by_dispatcher_.size(); ++i) {
    const std::optional<LastRequest>& last = by_dispatcher_[i].last;
    const bool waits = last && last->waits(*state_, state_->dispatchers[i]);
    by_dispatcher_[i].watch.on_turn_end(waits ? &*last : nullptr, WaitReason::other_launches, now);
  }
}

void DispatchAccounts::settle_waits(SimTime now) {
  if (!are_kept()) return;
  waits_.settle(now);
  waits_.write_records();
}

void DispatchAccounts::settle_idle(SimTime now) {
  for (DispatcherAccount& account : by_dispatcher_) account.watch.settle_all(now);
}

void DispatchAccounts::pass_over(SimTime from, SimTime until) {
  for (DispatcherAccount& account : by_dispatcher_) account.watch.pass_over(from, until);
}

IdleUses DispatchAccounts::take_idle(SimTime now) {
  settle_idle(now);
  for (DispatcherAccount& account : by_dispatcher_) account.watch.drop();
  return idle_.take();
}

bool DispatchAccounts::visit_state(StateVisitor& visitor, std::span<const LaunchId> present, SimTime at) {
  if (!are_kept()) return true;
  auto& [keep, state, idle, by_dispatcher, shared, waits, arrived, read, next_if_not_busy] = *this;
  visitor.constant(keep);
  visitor.elsewhere(state, shared);
  visitor.scratch(arrived, read, next_if_not_busy);
  settle_idle(at);
  for (auto& [watch, last, has_requested] : by_dispatcher) {
    visitor.scratch(has_requested);
    watch.visit_state(visitor);
    visitor.shape(last.has_value());
    if (last) visitor.plain(last->request.launch);
  }
  idle.visit_state(visitor);
  waits.visit_state(visitor, present, at);
  return true;
}

}  // namespace gdsim
