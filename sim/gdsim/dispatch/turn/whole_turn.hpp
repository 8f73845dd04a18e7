#pragma once

#include <gdsim/dispatch/dispatch_state.hpp>

namespace gdsim {

/// Begins a turn and clears the decisions of the last one.
void begin_turn(DispatchState& state, SimTime now);
/// Takes a whole turn after begin_turn(): completes partially placed work-groups, then places new ones while it can.
void take_whole_turn(DispatchState& state);

}  // namespace gdsim
