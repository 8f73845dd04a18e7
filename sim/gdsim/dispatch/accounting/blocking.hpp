#pragma once

#include <gdsim/dispatch/dispatch_state.hpp>

namespace gdsim {

/// It was the launch's turn, and it cannot place anything.
void block_launch(DispatchState& state, LaunchId launch, WaitReason reason);
/// Why no core of the dispatcher takes the requested work-group: seen on the core on which something was released last,
/// if it is one of its cores and the launch may be there, else on the first where it may be.
WaitReason why_no_core(const DispatchState& state, const DispatchUnit& unit);
/// The same of the next work-group of a launch that did not request it, and that no core takes.
WaitReason why_no_core(const DispatchState& state, const DispatchUnit& unit, LaunchId launch);

}  // namespace gdsim
