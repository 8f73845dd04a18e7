#include <gdsim/dispatch/blocking.hpp>

#include <algorithm>

namespace gdsim {

void block_launch(DispatchState& state, LaunchId launch, WaitReason reason) {
  state.waits.block(launch, reason, state.now);
  state.chooser->blocked(launch);
}

WaitReason why_no_core(const DispatchState& state, const DispatchUnit& unit) {
  const IndexSet& allowed = state.selections.of(unit.search.last()->launch);
  const auto is_right = [&](std::size_t core) {
    return allowed.contains(core) && unit.cores.contains(static_cast<CoreId>(core));
  };
  if (state.last_changed && is_right(*state.last_changed))
    return unit.search.stall_reason(static_cast<CoreId>(*state.last_changed));
  const auto first = allowed.next(unit.cores.first);
  if (!first || !is_right(*first)) return WaitReason::other_launches;  // it may only be with other dispatchers
  return unit.search.stall_reason(static_cast<CoreId>(*first));
}

void dismiss_launch(DispatchState& state, LaunchId launch) {
  const bool filled = state.progress.is_fully_placed(launch);
  if (!filled) state.waits.block(launch, WaitReason::contexts, state.now);
  if (state.chooser->exhausted(launch, filled) && !filled) state.remainders.push_back(launch);
}

void wait_for_remainders(DispatchState& state) {
  std::erase_if(state.remainders, [&state](LaunchId launch) { return state.progress.is_fully_placed(launch); });
  for (const LaunchId launch : state.remainders) state.waits.block(launch, WaitReason::contexts, state.now);
}

}  // namespace gdsim
