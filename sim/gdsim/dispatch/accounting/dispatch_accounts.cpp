#include <gdsim/dispatch/accounting/dispatch_accounts.hpp>

namespace gdsim {

void WaitLedger::replace(SimTime now) {
  for (const Wait& wait : open_) {
    records_[index_of(wait.launch)].waited.add(wait.reason, now - since_);
    if (log_ != nullptr && is_dispatch(wait.reason)) log_->add_launch(since_, now);
  }
  open_ = noted_;
  since_ = now;
}

std::vector<LaunchId> WaitLedger::waiting() const {
  std::vector<LaunchId> launches;
  for (const Wait& wait : open_) launches.push_back(wait.launch);
  return launches;
}

namespace {

/// Returns the core whose reason explains why no core of the dispatcher takes a work-group of the launch: the core with
/// the last release, if it is the dispatcher's and the launch may use it, else the first core that the launch may use;
/// nullopt if it may use none of the dispatcher's.
std::optional<CoreId> core_of_reason(const DispatchState& state, const Dispatcher& dispatcher, LaunchId launch) {
  const IndexSet& allowed = state.selections.cores_of(launch);
  const auto is_right = [&](std::size_t core) {
    return allowed.contains(core) && dispatcher.cores.contains(static_cast<CoreId>(core));
  };
  if (state.last_changed && is_right(*state.last_changed)) return static_cast<CoreId>(*state.last_changed);
  const auto first = allowed.next(dispatcher.cores.first);
  if (!first || !is_right(*first)) return std::nullopt;
  return static_cast<CoreId>(*first);
}

/// Returns why no core of the dispatcher takes the next work-group of the launch, or the rest of its spread one. Must
/// be called before a core changes, because the reason may then change.
WaitReason reason_of_dispatcher(const DispatchState& state, const Dispatcher& dispatcher, LaunchId launch) {
  const auto core = core_of_reason(state, dispatcher, launch);
  if (!core) return WaitReason::other_launches;
  if (const auto refusal = dispatcher.search.refusal_of_next(launch, *core)) return *refusal;
  // A caller's own placement may choose none of the cores that take it.
  return dispatcher.search.last()->cluster > 1 ? WaitReason::cluster_room : WaitReason::registers;
}

}  // namespace

DispatchAccounts::DispatchAccounts(const DeviceSpec& device, const DispatchState& state,
                                   std::vector<LaunchRecord>& records, KeepAccounts keep)
    : keep_(keep), state_(state), idle_(state.bank.cores.size()), waits_(records) {
  for (std::size_t i = 0; are_kept() && i < state.dispatchers.size(); ++i)
    by_dispatcher_.push_back({IdleWatch(device, state, state.dispatchers[i], idle_), std::nullopt});
}

void DispatchAccounts::begin_turn() {
  if (!are_kept()) return;
  read_ = 0;
  next_if_not_busy_.reset();
}

void DispatchAccounts::read_answers() {
  const std::vector<TurnAnswer>& answers = state_.decisions.answers;
  while (read_ < answers.size()) read(answers[read_++]);
}

void DispatchAccounts::read(const TurnAnswer& answer) {
  bool& has_requested = by_dispatcher_[answer.dispatcher].has_requested;
  switch (answer.verdict) {
    case TurnVerdict::left_over: return waits_.note(answer.launch, WaitReason::contexts);
    case TurnVerdict::preparing:
    case TurnVerdict::pays_launch_cost: return waits_.note(answer.launch, WaitReason::launch_cost);
    case TurnVerdict::no_dispatcher:
      next_if_not_busy_ = answer.launch;
      return waits_.note(answer.launch, WaitReason::dispatch_interval);
    case TurnVerdict::no_port: return waits_.note(answer.launch, WaitReason::ports);
    case TurnVerdict::no_core:
      has_requested = true;
      return waits_.note(answer.launch,
                         reason_of_dispatcher(state_, state_.dispatchers[answer.dispatcher], answer.launch));
    case TurnVerdict::spreads:
    case TurnVerdict::placed: has_requested = true; return;
    case TurnVerdict::exhausted:
      if (!state_.progress.is_fully_placed(answer.launch)) waits_.note(answer.launch, WaitReason::contexts);
      return;
  }
}

/// Returns the launch that was named last of those that were refused in this turn and may use the dispatcher's cores,
/// or nullopt if there is none.
std::optional<LaunchId> DispatchAccounts::last_refused(const Dispatcher& dispatcher) const {
  return waits_.last_refused([&](LaunchId launch) {
    const auto core = state_.selections.cores_of(launch).next(dispatcher.cores.first);
    return state_.progress.has_next(launch) && core && dispatcher.cores.contains(static_cast<CoreId>(*core));
  });
}

/// Returns the launch whose request explains what stays free, if the one that made the last request has nothing left to
/// place: the one that was refused last. Returns nullopt if that launch still waits, or if none waits.
std::optional<LaunchId> DispatchAccounts::last_to_request(const Dispatcher& dispatcher,
                                                          const DispatcherAccount& account) const {
  if (account.last && account.last->waits(state_, dispatcher)) return std::nullopt;
  return dispatcher.is_busy() ? next_if_not_busy_ : last_refused(dispatcher);
}

/// Returns the request that explains why contexts of the dispatcher's cores stay free until the next turn, or null if
/// no launch waits.
const LastRequest* DispatchAccounts::find_request(const Dispatcher& dispatcher, DispatcherAccount& account) {
  if (account.has_requested && !(account.last && account.last->is_made_by(dispatcher)))
    account.last = LastRequest::made_by(dispatcher);
  account.has_requested = false;
  if (const auto launch = last_to_request(dispatcher, account))
    account.last = LastRequest::request_of(state_, dispatcher, *launch);
  return account.last && account.last->waits(state_, dispatcher) ? &*account.last : nullptr;
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
  waits_.end_turn(state_.now);
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
