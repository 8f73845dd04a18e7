#pragma once

#include <gdsim/dispatch/dispatch_state.hpp>

namespace gdsim {

/// False if the launch's next work-group, or a part of it that was begun, has to wait.
bool place_next_work_group(DispatchState& state, DispatchUnit& unit, LaunchId launch);
/// The work-group that the launch requested, neither of a cluster nor spread, is placed on the core that the placement
/// chooses; false if that chooses none. There is a candidate.
bool place_as_requested(DispatchState& state, DispatchUnit& unit, LaunchId launch);
/// The work-group that the launch requested, which is not its first, is placed on a core on which all of it fits: the
/// only one, and the placement takes note of it.
void place_whole(DispatchState& state, DispatchUnit& unit, LaunchId launch, CoreId core);
/// Places threads of the spread work-group while one fits on some core. True once all are placed; the dispatcher places
/// nothing else before.
bool continue_spreading(DispatchState& state, DispatchUnit& unit);

}  // namespace gdsim
