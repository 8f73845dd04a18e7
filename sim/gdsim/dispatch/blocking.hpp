#pragma once

#include <gdsim/dispatch/dispatch_state.hpp>

namespace gdsim {

/// It was the launch's turn, and it cannot place anything.
void block_launch(DispatchState& state, LaunchId launch, WaitReason reason);
/// Why no core of the dispatcher takes the requested work-group: seen on the core on which something was released last,
/// if it is one of its cores and the launch may be there, else on the first where it may be.
WaitReason why_no_core(const DispatchState& state, const DispatchUnit& unit);
/// It has no further work-group to be placed.
void dismiss_launch(DispatchState& state, LaunchId launch);
/// Remaining threads lack contexts turn by turn, although the chooser no longer names their launch.
void wait_for_remainders(DispatchState& state);

}  // namespace gdsim
