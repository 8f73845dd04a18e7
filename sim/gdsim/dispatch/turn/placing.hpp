#pragma once

#include <gdsim/dispatch/dispatch_state.hpp>

namespace gdsim {

/// False if the launch's next work-group, or a part of it that was begun, has to wait.
bool place_next_work_group(DispatchState& state, DispatchUnit& unit, LaunchId launch);
/// The launch has begun, and this core alone takes its next work-group, all of it: it is placed there, as if the
/// placement had chosen.
void place_whole(DispatchState& state, DispatchUnit& unit, LaunchId launch, CoreId core);
/// Places threads of the spread work-group while one fits on some core. True once all are placed; the dispatcher places
/// nothing else before.
bool continue_spreading(DispatchState& state, DispatchUnit& unit);

}  // namespace gdsim
