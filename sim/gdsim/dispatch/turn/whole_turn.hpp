#pragma once

#include <gdsim/dispatch/dispatch_state.hpp>

namespace gdsim {

/// A turn begins: forgets the decisions of the last one.
void begin_turn(DispatchState& state, SimTime now);
/// All that a turn does, after begin_turn(): completes partially placed work-groups, then places new ones while it can.
void take_whole_turn(DispatchState& state);

}  // namespace gdsim
