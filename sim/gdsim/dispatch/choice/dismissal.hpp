#pragma once

#include <gdsim/dispatch/accounting/shared_turn.hpp>

#include <vector>

// A launch has no further work-group to be placed; threads of its last ones may still be.

namespace gdsim {

/// The chooser names it no more.
inline void dismiss_launch(DispatchState& state, LaunchId launch) {
  const bool filled = state.progress.is_fully_placed(launch);
  if (!filled && state.shared.contains(launch)) {
    state.waits.block_exhausted(launch, WaitReason::contexts, state.now);
  } else if (!filled) {
    state.waits.block(launch, WaitReason::contexts, state.now);
  }
  if (state.chooser->exhausted(launch, filled) && !filled) state.remainders.push_back(launch);
  if (state.shared.contains(launch)) renew_head(state, launch);
}

/// Remaining threads lack contexts turn by turn, although the chooser no longer names their launch.
inline void wait_for_remainders(DispatchState& state) {
  std::erase_if(state.remainders, [&state](LaunchId launch) { return state.progress.is_fully_placed(launch); });
  for (const LaunchId launch : state.remainders) state.waits.block(launch, WaitReason::contexts, state.now);
}

}  // namespace gdsim
