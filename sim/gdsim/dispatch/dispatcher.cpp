#include <gdsim/dispatch/dispatcher.hpp>

#include <gdsim/dispatch/accounting/blocking.hpp>
#include <gdsim/dispatch/accounting/last_request.hpp>
#include <gdsim/dispatch/accounting/shared_turn.hpp>
#include <gdsim/dispatch/choice/dismissal.hpp>
#include <gdsim/dispatch/turn/completing.hpp>
#include <gdsim/dispatch/turn/granting.hpp>
#include <gdsim/dispatch/turn/incremental_turn.hpp>
#include <gdsim/dispatch/turn/placing.hpp>

#include <algorithm>

namespace gdsim {
namespace {

/// A core that holds no partial work-group may be free for others now.
void note_changes(DispatchState& state) {
  if (const auto first = state.changed.next(0)) state.last_changed = first;
  for (auto core = state.changed.next(0); core; core = state.changed.next(*core + 1)) {
    state.changed.erase(*core);
    const auto id = static_cast<CoreId>(*core);
    DispatchUnit& unit = state.units.of(id);
    if (unit.partials.contains(*core)) {
      unit.on_release(id);
    } else {
      release_if_empty(state, id);
      unit.search.on_release(id);
    }
  }
}

MayBegin may_begin(const DispatchState& state) {
  const auto max = state.rules.concurrent_kernels.count;
  return !max || state.begins.count() < *max ? MayBegin::yes : MayBegin::no;
}

/// The next that has a work-group to place, and may.
std::optional<LaunchId> next_launch(DispatchState& state) {
  while (const auto launch = state.chooser->next(may_begin(state))) {
    state.shared.named(*launch);
    if (state.progress.has_next(*launch)) return launch;
    dismiss_launch(state, *launch);
  }
  return std::nullopt;
}

/// Where `launch_cost` is set, a launch that is named begins, and its work-groups can be placed when that is paid.
bool may_place(DispatchState& state, LaunchId launch) {
  if (!state.begins.takes_time()) return true;
  if (!state.begins.has_begun(launch)) {
    state.begins.begin(launch, state.now);
    if (const SimTime from = state.begins.placeable_from(launch); from > state.now)
      state.next_turns.push_back(from);
    else
      state.chooser->begins(launch);
  }
  return state.begins.placeable_from(launch) <= state.now;
}

void place_new_work_groups(DispatchState& state, DispatchUnit& unit) {
  while (!unit.is_busy() && !unit.partials.spread()) {
    const auto launch = next_launch(state);
    if (!launch) return;
    if (!may_place(state, *launch)) {
      state.chooser->launch_setup_started(*launch);
      state.waits.block(*launch, WaitReason::launch_cost, state.now);
    } else if (!state.ports.has_free()) {
      block_launch(state, *launch, WaitReason::ports);
    } else if (place_next_work_group(state, unit, *launch)) {
      state.chooser->placed(*launch);
      note_placement(state, unit);
      // Its class may be refused before it would be named again.
      if (state.shared.contains(*launch) && !state.progress.has_next(*launch)) dismiss_launch(state, *launch);
    } else {
      if (unit.partials.spread()) state.chooser->placed(*launch);
      if (!unit.is_busy()) block_launch(state, *launch, why_no_core(state, unit));
    }
  }
}

/// First the partial work-groups of the dispatcher, then new ones, until it is busy or nothing more fits. True if it
/// placed something.
bool visit_unit(DispatchState& state, DispatchUnit& unit) {
  const std::size_t before = state.grants.size();
  state.chooser->begin_turn();
  complete_partials(state, unit);
  const bool may_continue = !unit.is_busy() && (!unit.partials.spread() || continue_spreading(state, unit));
  if (may_continue) {
    place_new_work_groups(state, unit);
  } else if (!unit.is_busy()) {
    block_launch(state, unit.partials.spread()->launch, why_no_core(state, unit));
  }
  return state.grants.size() > before;
}

/// What waits, and why, until the next turn.
void end_turn(DispatchState& state) {
  std::optional<LaunchId> next;
  if (state.units.one_is_busy()) {
    state.chooser->begin_turn();
    if (const auto launch = next_launch(state); launch && !may_place(state, *launch)) {
      state.chooser->launch_setup_started(*launch);
      state.waits.block(*launch, WaitReason::launch_cost, state.now);
    } else if (launch) {
      state.waits.block(*launch, WaitReason::dispatch_interval, state.now);
      next = launch;
    }
  }
  if (state.units.size() > 1 || !state.remainders.empty())
    state.waits.drop_if([&state](LaunchId launch) { return state.progress.is_fully_placed(launch); });
  for (DispatchUnit& unit : state.units) {
    make_last_request(state, unit, next);
    std::optional<WaitReason> held_up;
    if (!state.ports.has_free()) held_up = WaitReason::ports;
    if (unit.is_busy()) held_up = WaitReason::dispatch_interval;
    unit.idle.on_turn_end(last_request_waits(state, unit), held_up, state.now);
  }
}

}  // namespace

std::span<const Grant> Dispatcher::turn(SimTime now) {
  state_.now = now;
  state_.grants.clear();
  state_.next_turns.clear();
  state_.begins.begin_turn();
  if (take_incremental_turn(state_)) return state_.grants;
  state_.units.free_until(now);
  state_.waits.settle(now);
  note_changes(state_);
  enter_arrived(state_);
  state_.begins.take_prepared(now, [this](LaunchId launch) { state_.chooser->prepared(launch); });
  for (const LaunchId launch : state_.begins.preparing()) state_.waits.block(launch, WaitReason::launch_cost, now);
  wait_for_remainders(state_);
  while (state_.units.visit_free([this](DispatchUnit& unit) { return visit_unit(state_, unit); }) &&
         state_.units.size() > 1) {
  }
  end_turn(state_);
  state_.only_waiting_launch = find_only_waiting_launch(state_);
  return state_.grants;
}

void Dispatcher::hold(SimTime now) {
  state_.waits.settle(now);
  state_.only_waiting_launch.reset();  // what it waits for is settled: the next turn is a whole one
  for (DispatchUnit& unit : state_.units)
    unit.idle.on_turn_end(last_request_waits(state_, unit), WaitReason::other_launches, now);
}

}  // namespace gdsim
