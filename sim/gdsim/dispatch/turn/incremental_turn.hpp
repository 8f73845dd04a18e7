#pragma once

#include <gdsim/dispatch/dispatch_state.hpp>

#include <optional>

// Where one launch waits alone, a turn has little to find out: whether what was released is enough for its next
// work-group. Such a turn can be short: it leaves behind what a whole turn would.

namespace gdsim {

/// At the end of a turn: the launch that waits alone, only because no core takes its next work-group. Until a launch
/// arrives or ends, no other can be placed.
std::optional<LaunchId> find_only_waiting_launch(const DispatchState& state);

/// At the beginning of a turn: if the lone launch is refused again wherever something was released, or if that is one
/// core, which takes its next work-groups, that is all that happens, and the turn is over. Otherwise false, and the
/// state is as it was, but for the count of evaluations.
bool take_incremental_turn(DispatchState& state);

}  // namespace gdsim
