#pragma once

#include <gdsim/dispatch/dispatch_state.hpp>

namespace gdsim {

/// It was the launch's turn, and it cannot place anything.
void block_launch(DispatchState& state, LaunchId launch, WaitReason reason);
/// Why no core of the dispatcher takes the requested work-group: seen on the core on which something was released last,
/// if it is one of its cores and the launch may be there, else on the first where it may be.
WaitReason why_no_core(const DispatchState& state, const DispatchUnit& unit);
/// The launch has placed a work-group: those that share a request may wait for another reason from now on.
void note_placement(DispatchState& state, DispatchUnit& unit, LaunchId launch);
/// Of launches that share a request, one requests for all: the request that would have been the last is made.
void make_last_request(DispatchState& state, DispatchUnit& unit);
/// Launches that have arrived may share a request from now on.
void enter_arrived(DispatchState& state);
/// It has no further work-group to be placed.
void dismiss_launch(DispatchState& state, LaunchId launch);
/// Remaining threads lack contexts turn by turn, although the chooser no longer names their launch.
void wait_for_remainders(DispatchState& state);

}  // namespace gdsim
