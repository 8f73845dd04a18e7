#include <gdsim/dispatch/turn/whole_turn.hpp>

#include <gdsim/dispatch/turn/placing.hpp>

#include <algorithm>

namespace gdsim {
namespace {

/// Updates the searches after releases. A core without a partial work-group may now be free for others.
void note_changes(DispatchState& state) {
  const auto first = state.changed.next(0);
  if (first) state.last_changed = first;
  for (auto core = first; core; core = state.changed.next(*core + 1)) {
    state.changed.erase(*core);
    const auto id = static_cast<CoreId>(*core);
    Dispatcher& dispatcher = state.dispatchers.dispatcher_of(id);
    if (dispatcher.partials.contains(*core)) {
      dispatcher.on_release(id);
    } else {
      release_if_empty(state, id);
      dispatcher.search.on_release(id);
    }
  }
}

/// Answers launches with threads to place that the chooser does not name.
void answer_unnamed(DispatchState& state) {
  for (const LaunchId launch : state.begun_launches.preparing()) state.decisions.answer(launch, TurnVerdict::preparing);
  std::erase_if(state.remainders, [&state](LaunchId launch) { return state.progress.is_fully_placed(launch); });
  for (const LaunchId launch : state.remainders) state.decisions.answer(launch, TurnVerdict::left_over);
}

/// Stops naming the launch, which has no further work-group to place. Threads of its last ones may be unplaced.
void dismiss(DispatchState& state, LaunchId launch) {
  const bool filled = state.progress.is_fully_placed(launch);
  if (state.chooser->on_exhausted(launch, filled) && !filled) state.remainders.push_back(launch);
}

MayBegin may_begin(const DispatchState& state) {
  const auto max = state.rules.concurrent_kernels;
  return !max || state.begun_launches.count() < *max ? MayBegin::yes : MayBegin::no;
}

/// Returns the next launch that has a work-group to place and may place it, or nullopt if there is none.
std::optional<LaunchId> next_launch(DispatchState& state) {
  while (const auto launch = state.chooser->next(may_begin(state))) {
    if (state.progress.has_next(*launch)) return launch;
    state.decisions.answer(*launch, TurnVerdict::exhausted);
    dismiss(state, *launch);
  }
  return std::nullopt;
}

/// Begins the launch if it has not begun: with `launch_cost`, a launch begins when it is named, and its work-groups can
/// be placed once the cost is paid. Returns true if the cost is paid; otherwise records the launch's verdict.
bool begin_or_prepare(DispatchState& state, LaunchId launch) {
  if (!state.begun_launches.has_begun(launch)) {
    state.begun_launches.begin(launch, state.now);
    if (const SimTime from = state.begun_launches.placeable_from(launch); from > state.now)
      state.decisions.next_turns.push_back(from);
    else
      state.chooser->on_begun(launch);
  }
  if (state.begun_launches.placeable_from(launch) <= state.now) return true;
  state.chooser->on_preparing(launch);
  state.decisions.answer(launch, TurnVerdict::pays_launch_cost);
  return false;
}

/// Returns true if work-groups of the launch can be placed now. If its launch cost is not paid, see
/// begin_or_prepare().
inline bool prepare_to_place(DispatchState& state, LaunchId launch) {
  return !state.begun_launches.takes_time() || begin_or_prepare(state, launch);
}

/// Records that the launch was named and cannot place anything.
void refuse(DispatchState& state, const Dispatcher& dispatcher, LaunchId launch, TurnVerdict why) {
  state.decisions.answer(launch, why, dispatcher.number);
  state.chooser->on_blocked(launch);
}

void try_to_place(DispatchState& state, Dispatcher& dispatcher, LaunchId launch) {
  const bool is_placed = place_next_work_group(state, dispatcher, launch);
  if (is_placed || dispatcher.partials.spread()) {
    state.chooser->on_placed(launch, state.progress.undispatched(launch));
  }
  if (!is_placed && !dispatcher.is_busy()) return refuse(state, dispatcher, launch, TurnVerdict::no_core);
  state.decisions.answer(launch, is_placed ? TurnVerdict::placed : TurnVerdict::spreads, dispatcher.number);
}

void place_new_work_groups(DispatchState& state, Dispatcher& dispatcher) {
  while (!dispatcher.is_busy() && !dispatcher.partials.spread()) {
    const auto launch = next_launch(state);
    if (!launch) return;
    if (!prepare_to_place(state, *launch)) continue;
    if (!state.ports.has_free())
      refuse(state, dispatcher, *launch, TurnVerdict::no_port);
    else
      try_to_place(state, dispatcher, *launch);
  }
}

/// Completes the dispatcher's partial work-groups, then places new ones, until it is busy or no more fit. Returns true
/// if any threads were placed.
bool visit_dispatcher(DispatchState& state, Dispatcher& dispatcher) {
  const std::size_t before = state.decisions.grants.size();
  state.chooser->begin_visit();
  complete_partials(state, dispatcher);
  const bool may_continue =
      !dispatcher.is_busy() && (!dispatcher.partials.spread() || continue_spreading(state, dispatcher));
  if (may_continue) {
    place_new_work_groups(state, dispatcher);
  } else if (!dispatcher.is_busy()) {
    refuse(state, dispatcher, dispatcher.partials.spread()->launch, TurnVerdict::no_core);
  }
  return state.decisions.grants.size() > before;
}

/// Answers the launch that a busy dispatcher would try, because it waits for the dispatcher.
void name_next(DispatchState& state) {
  if (!state.dispatchers.one_is_busy()) return;
  state.chooser->begin_visit();
  if (const auto launch = next_launch(state); launch && prepare_to_place(state, *launch))
    state.decisions.answer(*launch, TurnVerdict::no_dispatcher);
}

/// Returns the only launch that has threads left to place and could not place them, for any reason, or nullopt if there
/// is none or more than one.
std::optional<LaunchId> find_only_refused_launch(const DispatchState& state) {
  std::optional<LaunchId> only_refused;
  for (const TurnAnswer& answer : state.decisions.answers) {
    const bool is_refused = answer.verdict != TurnVerdict::placed && answer.verdict != TurnVerdict::spreads;
    if (!is_refused || state.progress.is_fully_placed(answer.launch)) continue;
    if (only_refused && *only_refused != answer.launch) return std::nullopt;
    only_refused = answer.launch;
  }
  return only_refused;
}

bool prefers_clusters(const DispatchState& state, LaunchId launch) {
  return !state.workload.kernel_of(state.workload.launches[index_of(launch)]).preferred_cluster.empty();
}

/// Returns the only waiting launch if it waits because no core takes its next work-group, else nullopt. Until a launch
/// arrives or ends, no other one can be placed.
std::optional<LaunchId> find_launch_waiting_for_core(const DispatchState& state) {
  // If launches are being prepared, a turn does more.
  const bool may_be_short = state.traits.allow_short_turns() && state.begun_launches.preparing().empty();
  if (!may_be_short || !state.remainders.empty() || !state.ports.has_free()) return std::nullopt;
  // If a turn names others after a refused launch, a placement may have changed the next launch and its reason.
  if (!state.traits.is_head_of_line() && !state.decisions.grants.empty()) return std::nullopt;
  const Dispatcher& dispatcher = state.dispatchers.first();
  const auto& request = dispatcher.search.last();
  if (dispatcher.is_busy() || dispatcher.partials.spread() || !request || !dispatcher.search.is_refused())
    return std::nullopt;
  if (request->cluster > 1 || prefers_clusters(state, request->launch))
    return std::nullopt;  // resources released on one core count for others
  const bool waits = find_only_refused_launch(state) == request->launch && state.progress.has_next(request->launch);
  return waits ? std::optional(request->launch) : std::nullopt;
}

/// Returns true if the cores with a release refuse the only waiting launch again: the turn is over.
bool refuses_again(DispatchState& state) {
  Dispatcher& dispatcher = state.dispatchers.first();
  if (!state.launch_waiting_for_core || !dispatcher.released.empty() || !dispatcher.search.is_refused()) return false;
  dispatcher.search.note_refusal();
  state.decisions.answer(*state.launch_waiting_for_core, TurnVerdict::no_core);
  return true;
}

void decide_whole_turn(DispatchState& state) {
  state.begun_launches.take_prepared(state.now, [&state](LaunchId launch) { state.chooser->on_prepared(launch); });
  answer_unnamed(state);
  while (state.dispatchers.visit_free([&state](Dispatcher& dispatcher) {
    return visit_dispatcher(state, dispatcher);
  }) && state.dispatchers.size() > 1) {
  }
  name_next(state);
  state.launch_waiting_for_core = find_launch_waiting_for_core(state);
}

/// Returns true if a turn without news would decide what this one has decided, for the same reasons. It would not after
/// a launch has begun or was dismissed, because others are named then; nor where a placement follows a refusal, whose
/// reason it may change.
bool would_repeat(const DispatchState& state) {
  const auto& answers = state.decisions.answers;
  const bool one_left = std::any_of(answers.begin(), answers.end(),
                                    [](const TurnAnswer& answer) { return answer.verdict == TurnVerdict::exhausted; });
  const bool ends_with_refusals =
      state.decisions.grants.empty() || (state.traits.is_head_of_line() && state.dispatchers.size() == 1);
  return state.traits.turns_repeat() && !one_left && state.begun_launches.begun().empty() && ends_with_refusals;
}

}  // namespace

bool begin_turn(DispatchState& state, SimTime now) {
  state.now = now;
  state.decisions.begin_turn();
  state.begun_launches.begin_turn();
  const bool one_is_free = state.dispatchers.free_until(now);
  return one_is_free || state.has_news || state.begun_launches.one_is_prepared(now);
}

void decide_turn(DispatchState& state) {
  note_changes(state);
  if (!refuses_again(state)) decide_whole_turn(state);
  state.has_news = !would_repeat(state);
}

}  // namespace gdsim
