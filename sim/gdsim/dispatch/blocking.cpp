#include <gdsim/dispatch/blocking.hpp>

#include <gdsim/base/check.hpp>

#include <algorithm>

namespace gdsim {

namespace {

/// The core of the dispatcher that gives the reason why none takes a work-group of the launch; nothing: the launch may
/// only be with other dispatchers.
std::optional<CoreId> core_of_reason(const DispatchState& state, const DispatchUnit& unit, LaunchId launch) {
  const IndexSet& allowed = state.selections.of(launch);
  const auto is_right = [&](std::size_t core) {
    return allowed.contains(core) && unit.cores.contains(static_cast<CoreId>(core));
  };
  if (state.last_changed && is_right(*state.last_changed)) return static_cast<CoreId>(*state.last_changed);
  const auto first = allowed.next(unit.cores.first);
  if (!first || !is_right(*first)) return std::nullopt;
  return static_cast<CoreId>(*first);
}

/// Which launch comes first of the kind of this one may have changed.
void renew_head(DispatchState& state, LaunchId launch) {
  state.shared.set_head(launch, state.chooser->head_of_kind(launch));
}

}  // namespace

void block_launch(DispatchState& state, LaunchId launch, WaitReason reason) {
  if (state.shared.contains(launch)) {
    state.shared.refuse(launch, reason);
  } else {
    state.waits.block(launch, reason, state.now);
  }
  state.chooser->blocked(launch);
}

WaitReason why_no_core(const DispatchState& state, const DispatchUnit& unit) {
  const auto core = core_of_reason(state, unit, unit.search.last()->launch);
  return core ? unit.search.stall_reason(*core) : WaitReason::other_launches;
}

void note_placement(DispatchState& state, DispatchUnit& unit, LaunchId launch) {
  if (!state.shared.is_on()) return;
  state.shared.placed([&](LaunchId refused) {
    if (!state.ports.has_free()) return WaitReason::ports;
    const auto core = core_of_reason(state, unit, refused);
    if (!core) return WaitReason::other_launches;
    const auto reason = unit.search.stall_reason(refused, state.progress.next_footprint(refused), *core);
    GDSIM_CHECK(reason.has_value(), "a core takes what was refused before a work-group was placed");
    return *reason;
  });
  if (!state.shared.contains(launch) || state.progress.has_next(launch)) return;
  // Its class may be refused before it would be named again.
  dismiss_launch(state, launch);
}

void make_last_request(DispatchState& state, DispatchUnit& unit) {
  if (!state.shared.is_on() || !state.ports.has_free()) return;
  if (const auto launch = state.shared.last_to_request())
    unit.search.request(*launch, state.progress.next_footprint(*launch));
}

void enter_arrived(DispatchState& state) {
  for (const LaunchId launch : state.arrived) renew_head(state, launch);
  state.arrived.clear();
}

void dismiss_launch(DispatchState& state, LaunchId launch) {
  const bool filled = state.progress.is_fully_placed(launch);
  if (!filled && state.shared.contains(launch)) {
    state.waits.block_exhausted(launch, WaitReason::contexts, state.now);
  } else if (!filled) {
    state.waits.block(launch, WaitReason::contexts, state.now);
  }
  if (state.chooser->exhausted(launch, filled) && !filled) state.remainders.push_back(launch);
  if (state.shared.contains(launch)) renew_head(state, launch);
}

void wait_for_remainders(DispatchState& state) {
  std::erase_if(state.remainders, [&state](LaunchId launch) { return state.progress.is_fully_placed(launch); });
  for (const LaunchId launch : state.remainders) state.waits.block(launch, WaitReason::contexts, state.now);
}

}  // namespace gdsim
