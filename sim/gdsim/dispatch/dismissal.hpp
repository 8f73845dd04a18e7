#pragma once

#include <gdsim/dispatch/dispatch_state.hpp>

// A launch has no further work-group to be placed; threads of its last ones may still be.

namespace gdsim {

/// The chooser names it no more.
void dismiss_launch(DispatchState& state, LaunchId launch);
/// Remaining threads lack contexts turn by turn, although the chooser no longer names their launch.
void wait_for_remainders(DispatchState& state);

}  // namespace gdsim
