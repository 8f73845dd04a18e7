#pragma once

#include <gdsim/dispatch/dispatch_state.hpp>

namespace gdsim {

// Rule, to the picosecond: a turn.
//
// A turn visits every dispatcher that is not busy once, cyclically, beginning after the last one that had placed
// something when the turn began (at first with number 0). A visit ends when the dispatcher is busy or nothing more
// fits:
//
// 1. Its partial work-groups get the freed contexts, in the order of their cores.
//
// 2. Its spread work-group, if there is one, gets what is left.
//
// 3. Kernel choice names launches, each as if a turn began; a launch that cannot place anything with this dispatcher
//    is blocked for this visit only.
//
// Visits are repeated, beginning after the last one that placed something, until a whole cycle of them places nothing.
// If a dispatcher is busy then, kernel choice is made once more, without a placement: the launch that it names begins
// (choice/launch_progress).

// Rule, to the picosecond: spread work-groups.
//
// A spread work-group goes to the cores that `placement` chooses, one after the other. It takes the resources of a
// work-group on each, and releases them at its end. While threads of it are left, nothing else is dispatched; it
// holds no port.

/// Begins a turn and clears the decisions of the last one. Returns false if nothing has changed since: then the turn is
/// over, because it would decide the same.
bool begin_turn(DispatchState& state, SimTime now);
/// Decides the turn after begin_turn(): completes partially placed work-groups, then places new ones while it can.
void decide_turn(DispatchState& state);

}  // namespace gdsim
