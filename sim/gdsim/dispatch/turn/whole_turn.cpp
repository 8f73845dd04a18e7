#include <gdsim/dispatch/turn/whole_turn.hpp>

#include <gdsim/dispatch/shares/partitioning.hpp>
#include <gdsim/fit/core.hpp>

#include <algorithm>
#include <optional>
#include <vector>

namespace gdsim {
namespace {

/// Takes the contexts of `threads` threads of `group`, whose `remaining` must not count them any more. before_change()
/// must have been called. The dispatcher is then busy for as long as placing `work_groups` work-groups takes.
Grant& grant_threads(DispatchState& state, Dispatcher& dispatcher, const PartialGroup& group, CoreId core,
                     std::uint32_t threads, std::uint64_t work_groups = 1) {
  const EngineSet engines = state.bank.cores[index_of(core)].take_threads(state.progress.full_footprint(group.launch),
                                                                          threads, state.now, state.bank.engine_sets);
  Grant& grant = state.decisions.grants.emplace_back();
  grant.launch = group.launch;
  grant.work_group = group.work_group;
  grant.core = core;
  grant.first_core = group.first_core;
  grant.threads = threads;
  grant.group_threads = group.group_threads;
  grant.engines = engines;
  grant.fills_group = group.remaining == 0;
  if (const SimTime until = state.times.end_of_busy(state.now, threads, work_groups); until > state.now) {
    dispatcher.busy_until = until;
    state.decisions.next_turns.push_back(until);
  }
  return grant;
}

/// Ends the launch's ownership of the core if the core is empty and no resource of it is in recovery.
void release_if_empty(DispatchState& state, CoreId core) {
  if (!state.claims.are_exclusive()) return;
  const Dispatcher& dispatcher = state.dispatchers.dispatcher_of(core);
  const std::size_t i = index_of(core);
  if (dispatcher.partials.contains(i) || dispatcher.partials.is_spread_on(i) || !state.bank.cores[i].is_empty()) return;
  if (const auto launch = state.claims.release(core)) state.chooser->on_left_cores(*launch);
}

void complete_partial(DispatchState& state, Dispatcher& dispatcher, CoreId core, PartialGroup& partial) {
  const Footprint& footprint = state.progress.full_footprint(partial.launch);
  const std::uint32_t capacity = state.bank.cores[index_of(core)].thread_capacity(footprint);
  const std::uint32_t threads = std::min(capacity, partial.remaining);
  if (threads == 0) return;
  partial.remaining -= threads;
  state.before_change(core);
  grant_threads(state, dispatcher, partial, core, threads);
  if (partial.remaining > 0) return;
  if (partial.holds_port) state.ports.release();
  state.progress.close_partial(partial.launch);
  dispatcher.partials.group_on(index_of(core)).reset();
}

/// Places further threads of the dispatcher's partially placed work-groups, which can fit only on cores with a release,
/// until it is busy.
void complete_partials(DispatchState& state, Dispatcher& dispatcher) {
  for (auto core = dispatcher.released.next(0); core && !dispatcher.is_busy();
       core = dispatcher.released.next(*core + 1)) {
    dispatcher.released.erase(*core);
    const auto id = static_cast<CoreId>(dispatcher.cores.first + *core);
    complete_partial(state, dispatcher, id, *dispatcher.partials.group_on(index_of(id)));
    release_if_empty(state, id);
    dispatcher.search.on_release(id);
  }
}

/// Takes the resources of the launch's next work-group on the core, with contexts for all threads that fit there. The
/// dispatcher is then busy for as long as placing `work_groups` work-groups takes.
PartialGroup open_work_group(DispatchState& state, Dispatcher& dispatcher, LaunchId launch, CoreId core,
                             const Footprint& footprint, std::uint64_t work_groups) {
  Core& core_state = state.bank.cores[index_of(core)];
  state.before_change(core);
  state.claims.claim(core, core_state, launch, footprint);
  const std::uint32_t first_context = core_state.take_group(footprint);
  const std::uint32_t threads =
      state.rules.admission == Admission::whole ? footprint.threads : core_state.thread_capacity(footprint);
  const PartialGroup group{
      launch, state.progress.take_next(launch, core), footprint.threads, footprint.threads - threads, false, core};
  Grant& grant = grant_threads(state, dispatcher, group, core, threads, work_groups);
  grant.opens_core = grant.opens_group = true;
  grant.first_context = first_context;
  return group;
}

/// Places the launch's next work-group on the core. The dispatcher is then busy as in open_work_group().
void place_on(DispatchState& state, Dispatcher& dispatcher, LaunchId launch, CoreId core, std::uint64_t work_groups) {
  const Footprint& footprint = *state.progress.next_footprint(launch, state.progress.partition_of(launch, core));
  if (!state.begun_launches.has_begun(launch)) state.begun_launches.begin(launch, state.now);
  PartialGroup group = open_work_group(state, dispatcher, launch, core, footprint, work_groups);
  if (group.remaining > 0) {
    const Kernel& kernel = state.workload.kernel_of(state.workload.launches[index_of(launch)]);
    group.holds_port = !hands_over(state.rules, kernel);
    if (group.holds_port) state.ports.hold();
    state.progress.open_partial(launch);
    dispatcher.partials.group_on(index_of(core)) = group;
  }
  dispatcher.search.evaluate(core);
}

/// Places the launch's requested work-group on the core that the placement chooses. Returns true if it chooses one.
/// There must be a candidate, and the work-group must not be spread or in a cluster.
bool place_as_requested(DispatchState& state, Dispatcher& dispatcher, LaunchId launch) {
  const auto core = dispatcher.choose(state.rules.batch, launch, state.progress, state.bank.cores.size());
  if (core) place_on(state, dispatcher, launch, *core, 1);
  return core.has_value();
}

/// Places a cluster at once, on distinct cores of one group; the placement chooses each. Returns true if it chooses
/// any.
bool place_cluster(DispatchState& state, Dispatcher& dispatcher, LaunchId launch, std::uint64_t size) {
  const auto first = dispatcher.search.choose();
  if (!first) return false;
  dispatcher.batch.end();
  std::vector<CoreId> taken{*first};
  place_on(state, dispatcher, launch, *first, size);
  while (taken.size() < size) {
    taken.push_back(dispatcher.search.choose_together(taken));
    place_on(state, dispatcher, launch, taken.back(), size);
  }
  return true;
}

/// Places a cluster of the size that the kernel prefers, if one begins with the launch's next work-group and fits.
/// Returns true if so.
bool place_preferred_cluster(DispatchState& state, Dispatcher& dispatcher, LaunchId launch,
                             const Footprint& footprint) {
  const Kernel& kernel = state.workload.kernel_of(state.workload.launches[index_of(launch)]);
  if (kernel.preferred_cluster.empty()) return false;
  Request request = dispatcher.search.make_request(launch, footprint);
  request.cluster = kernel.preferred_cluster_size();
  if (request.cluster == 1 || state.progress.dispatched(launch) % request.cluster != 0) return false;
  dispatcher.search.request(request);
  return !dispatcher.search.is_refused() && place_cluster(state, dispatcher, launch, request.cluster);
}

/// Makes the next work-group the spread one, whose threads are placed on any cores where they fit.
void begin_spreading(DispatchState& state, Dispatcher& dispatcher, LaunchId launch, const Footprint& footprint) {
  if (!state.begun_launches.has_begun(launch)) state.begun_launches.begin(launch, state.now);
  dispatcher.partials.spread() = PartialGroup{
      launch, state.progress.take_next(launch, CoreId{0}), footprint.threads, footprint.threads, false, {}};
  state.progress.open_partial(launch);
}

/// Places threads of the spread work-group while one fits on some core. Returns true if all are placed. The dispatcher
/// must not place anything else before.
bool continue_spreading(DispatchState& state, Dispatcher& dispatcher) {
  PartialGroup& group = *dispatcher.partials.spread();
  const Footprint& footprint = *dispatcher.search.last()->footprint;
  while (group.remaining > 0) {
    if (dispatcher.is_busy() || dispatcher.search.is_refused()) return false;
    const auto core = dispatcher.search.choose();
    if (!core) return false;
    Core& core_state = state.bank.cores[index_of(*core)];
    const bool opens_group = group.remaining == group.group_threads;
    const bool opens_core = !dispatcher.partials.is_spread_on(index_of(*core));
    if (opens_group) group.first_core = *core;
    state.before_change(*core);
    if (opens_core) {
      state.claims.claim(*core, core_state, group.launch, footprint);
      core_state.take_group(footprint);
    }
    dispatcher.partials.spread_onto(index_of(*core));
    const std::uint32_t threads = std::min(core_state.thread_capacity(footprint), group.remaining);
    group.remaining -= threads;
    Grant& grant = grant_threads(state, dispatcher, group, *core, threads);
    grant.opens_core = opens_core;
    grant.opens_group = opens_group;
    dispatcher.search.evaluate(*core);
  }
  state.progress.close_partial(group.launch);
  for (const CoreId core : dispatcher.partials.close_spread()) {
    release_if_empty(state, core);
    dispatcher.search.evaluate(core);
  }
  return true;
}

/// Places the launch's next work-group. Returns false if it, or the rest of one that was begun, must wait.
bool place_next_work_group(DispatchState& state, Dispatcher& dispatcher, LaunchId launch) {
  const Footprint& footprint = state.progress.next_footprint(launch);
  if (place_preferred_cluster(state, dispatcher, launch, footprint)) return true;
  dispatcher.search.request(launch, footprint);
  if (dispatcher.search.is_refused()) {
    dispatcher.search.note_refusal();
    return false;
  }
  const Request& request = *dispatcher.search.last();
  if (request.cluster > 1) return place_cluster(state, dispatcher, launch, request.cluster);
  if (request.admission != Admission::spread) return place_as_requested(state, dispatcher, launch);
  begin_spreading(state, dispatcher, launch, footprint);
  return continue_spreading(state, dispatcher);
}

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
