#include <gdsim/dispatch/short_turn.hpp>

namespace gdsim {
namespace {

/// If that is what the lone launch waited for before, it just goes on waiting.
void wait_for(DispatchState& state, LaunchId launch, WaitReason reason) {
  if (state.waits.waits_for(launch, reason)) return;
  state.waits.settle(state.now);
  state.waits.block(launch, reason, state.now);
}

}  // namespace

std::optional<LaunchId> find_lone_launch(const DispatchState& state) {
  // With several dispatchers, a launch cost, shared requests or exclusive cores, a turn does more than refuse a launch.
  const bool may_be_short = state.units.size() == 1 && !state.begins.takes_time() && !state.shared.is_on() &&
                            state.rules.core_sharing != CoreSharing::exclusive;
  if (!may_be_short || !state.remainders.empty() || !state.ports.has_free()) return std::nullopt;
  // Where others are named behind a refused launch, one that was placed may have changed which is named next, and why.
  const bool ends_with_refusal =
      state.rules.kernel_choice == KernelChoice::head_only || state.rules.kernel_choice == KernelChoice::priority;
  if (!ends_with_refusal && !state.grants.empty()) return std::nullopt;
  const DispatchUnit& unit = state.units.first();
  const auto& request = unit.search.last();
  if (unit.is_busy() || unit.partials.spread() || !request || !unit.search.is_refused()) return std::nullopt;
  if (request->cluster > 1) return std::nullopt;  // what is released on one core counts for others
  const bool waits = state.waits.waits_alone(request->launch) && state.progress.has_next(request->launch);
  return waits ? std::optional(request->launch) : std::nullopt;
}

bool take_short_turn(DispatchState& state) {
  if (!state.lone_launch) return false;
  DispatchUnit& unit = state.units.first();
  const IndexSet& allowed = state.selections.of(*state.lone_launch);
  state.refusals.clear();
  for (auto core = state.changed.next(0); core; core = state.changed.next(*core + 1)) {
    if (!allowed.contains(*core) || unit.partials.contains(*core)) return false;
    const auto id = static_cast<CoreId>(*core);
    const auto reason = unit.search.refusal(id);
    if (!reason) return false;
    state.refusals.push_back({id, *reason});
  }
  if (state.refusals.empty()) return true;
  state.last_changed = index_of(state.refusals.front().core);
  wait_for(state, *state.lone_launch, state.refusals.front().reason);
  for (const Refusal& refusal : state.refusals) {
    unit.search.note_release(refusal.core);
    unit.idle.on_refusal(refusal.core, refusal.reason, state.now);
    state.changed.erase(index_of(refusal.core));
  }
  unit.search.note_refusal();
  return true;
}

}  // namespace gdsim
