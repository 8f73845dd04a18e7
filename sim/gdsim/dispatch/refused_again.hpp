#pragma once

#include <gdsim/dispatch/dispatch_state.hpp>

#include <optional>

// Where one launch waits alone, most turns only see that what was released is not enough for it. Such a turn is short;
// it leaves behind what any other would.

namespace gdsim {

/// At the end of a turn: the launch that waits alone, only because no core takes its next work-group. Until a launch
/// arrives or ends, no other can be placed.
std::optional<LaunchId> refused_alone(const DispatchState& state);

/// At the beginning of a turn: if the launch that waited alone is refused again wherever something was released, that
/// is all that happens, and the turn is over. Else false: nothing is noted.
bool refuse_again(DispatchState& state);

}  // namespace gdsim
