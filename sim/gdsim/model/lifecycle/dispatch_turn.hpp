#pragma once

#include <gdsim/model/model_state.hpp>

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
// (choice/launch_begins).

namespace gdsim {

/// Handles the arrival of a launch, which is now ready.
void arrive(ModelState& state, LaunchId launch);

/// Begins copies while engines are free.
void begin_copies(ModelState& state);

/// Begins copies and places work-groups while resources are free.
void take_dispatch_turn(ModelState& state);

}  // namespace gdsim
