#pragma once

#include <gdsim/dispatch/dispatch_state.hpp>

namespace gdsim {

/// Ends the launch's ownership of the core if the core is empty and no resource of it is in recovery.
void release_if_empty(DispatchState& state, CoreId core);

/// Places further threads of the dispatcher's partially placed work-groups, until it is busy.
void complete_partials(DispatchState& state, Dispatcher& dispatcher);

// Rule, to the picosecond: spread work-groups.
//
// A spread work-group goes to the cores that `placement` chooses, one after the other. It takes the resources of a
// work-group on each, and releases them at its end. While threads of it are left, nothing else is dispatched; it
// holds no port.

/// Places the launch's next work-group. Returns false if it, or the rest of one that was begun, must wait.
bool place_next_work_group(DispatchState& state, Dispatcher& dispatcher, LaunchId launch);
/// Places threads of the spread work-group while one fits on some core. Returns true if all are placed. The dispatcher
/// must not place anything else before.
bool continue_spreading(DispatchState& state, Dispatcher& dispatcher);

}  // namespace gdsim
