#include <gdsim/dispatch/accounting/dispatch_accounts.hpp>

#include <gdsim/dispatch/queries/dispatcher_wait_reason.hpp>

namespace gdsim {

DispatchAccounts::DispatchAccounts(const DeviceSpec& device, const DispatchState& state,
                                   std::vector<LaunchRecord>& records, KeepAccounts keep)
    : keep_(keep),
      state_(state),
      idle_(state.bank.cores.size()),
      waits_(records) {
  for (std::size_t i = 0; are_kept() && i < state.dispatchers.size(); ++i)
    by_dispatcher_.push_back({IdleWatch(device, state, state.dispatchers[i], idle_), std::nullopt});
}

void DispatchAccounts::begin_turn() {
  if (!are_kept()) return;
  waits_.settle(state_.now);
  read_ = 0;
  next_if_not_busy_.reset();
}

void DispatchAccounts::read_answers() {
  const std::vector<TurnAnswer>& answers = state_.decisions.answers;
  while (read_ < answers.size()) read(answers[read_++]);
}

void DispatchAccounts::read(const TurnAnswer& answer) {
  const SimTime now = state_.now;
  bool& has_requested = by_dispatcher_[answer.dispatcher].has_requested;
  switch (answer.verdict) {
    case TurnVerdict::left_over: return waits_.block(answer.launch, WaitReason::contexts, now);
    case TurnVerdict::preparing:
    case TurnVerdict::pays_launch_cost: return waits_.block(answer.launch, WaitReason::launch_cost, now);
    case TurnVerdict::no_dispatcher:
      next_if_not_busy_ = answer.launch;
      return waits_.block(answer.launch, WaitReason::dispatch_interval, now);
    case TurnVerdict::no_port: return waits_.block(answer.launch, WaitReason::ports, now);
    case TurnVerdict::no_core:
      has_requested = true;
      return waits_.block(answer.launch,
                          dispatcher_wait_reason(state_, state_.dispatchers[answer.dispatcher], answer.launch), now);
    case TurnVerdict::spreads:
    case TurnVerdict::placed: has_requested = true; return;
    case TurnVerdict::exhausted:
      if (!state_.progress.is_fully_placed(answer.launch)) waits_.block(answer.launch, WaitReason::contexts, now);
      return;
  }
}

/// Returns the launch that was named last of those that were refused in this turn and may use the dispatcher's cores,
/// or nullopt if there is none.
std::optional<LaunchId> DispatchAccounts::last_refused(const Dispatcher& dispatcher) const {
  return waits_.last_refused([&](LaunchId launch) {
    const auto core = state_.selections.of(launch).next(dispatcher.cores.first);
    return state_.progress.has_next(launch) && core && dispatcher.cores.contains(static_cast<CoreId>(*core));
  });
}

/// Returns the launch whose request explains what stays free, if the one that made the last request has nothing left to
/// place: the one that was refused last. Returns nullopt if that launch still waits, or if none waits.
std::optional<LaunchId> DispatchAccounts::last_to_request(const Dispatcher& dispatcher,
                                                          const DispatcherAccount& own) const {
  if (own.last && own.last->waits(state_, dispatcher)) return std::nullopt;
  return dispatcher.is_busy() ? next_if_not_busy_ : last_refused(dispatcher);
}

/// Returns the request that explains why contexts of the dispatcher's cores stay free until the next turn, or null if
/// no launch waits.
const LastRequest* DispatchAccounts::find_request(const Dispatcher& dispatcher, DispatcherAccount& own) {
  if (own.has_requested && !(own.last && own.last->is_made_by(dispatcher))) own.last = LastRequest::made_by(dispatcher);
  own.has_requested = false;
  if (const auto launch = last_to_request(dispatcher, own)) own.last = LastRequest::of(state_, dispatcher, *launch);
  return own.last && own.last->waits(state_, dispatcher) ? &*own.last : nullptr;
}

void DispatchAccounts::end_turn() {
  if (!are_kept()) return;
  read_answers();
  if (state_.dispatchers.size() > 1 || !state_.remainders.empty())
    waits_.drop_if([this](LaunchId launch) { return state_.progress.is_fully_placed(launch); });
  for (std::size_t i = 0; i < by_dispatcher_.size(); ++i) {
    const Dispatcher& dispatcher = state_.dispatchers[i];
    const LastRequest* request = find_request(dispatcher, by_dispatcher_[i]);
    std::optional<WaitReason> held_up;
    if (!state_.ports.has_free()) held_up = WaitReason::ports;
    if (dispatcher.is_busy()) held_up = WaitReason::dispatch_interval;
    by_dispatcher_[i].watch.on_turn_end(request, held_up, state_.now);
  }
}

/// Updates the reason of the launch that was refused alone and still waits.
void DispatchAccounts::on_incremental_turn() {
  const auto& cores = state_.decisions.still_refusing;
  if (!are_kept() || cores.empty()) return;
  const LaunchId launch = *state_.only_refused_launch;
  const WaitReason reason = cores.front().second;
  if (!waits_.waits_for(launch, reason)) {
    waits_.settle(state_.now);
    waits_.block(launch, reason, state_.now);
  }
  for (const auto& [core, why] : cores) by_dispatcher_.front().watch.on_refusal(core, why, state_.now);
}

void DispatchAccounts::hold(SimTime now) {
  if (!are_kept()) return;
  waits_.settle(now);
  for (std::size_t i = 0; i < by_dispatcher_.size(); ++i) {
    const std::optional<LastRequest>& last = by_dispatcher_[i].last;
    const bool waits = last && last->waits(state_, state_.dispatchers[i]);
    by_dispatcher_[i].watch.on_turn_end(waits ? &*last : nullptr, WaitReason::other_launches, now);
  }
}

void DispatchAccounts::settle_waits(SimTime now) {
  if (are_kept()) waits_.settle(now);
}

void DispatchAccounts::settle_idle(SimTime now) {
  for (DispatcherAccount& account : by_dispatcher_) account.watch.settle_all(now);
}

IdleUses DispatchAccounts::take_idle(SimTime now) {
  settle_idle(now);
  for (DispatcherAccount& account : by_dispatcher_) account.watch.drop();
  return idle_.take();
}

}  // namespace gdsim
