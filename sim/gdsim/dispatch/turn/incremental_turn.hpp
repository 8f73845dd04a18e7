#pragma once

#include <gdsim/dispatch/dispatch_state.hpp>

#include <optional>

// If only one launch waits, a turn only finds out whether what was released is enough for its next work-group. Such a
// turn can be short: it leaves the same state as a whole turn.

namespace gdsim {

/// Called at the end of a turn. Returns the only launch that has something left to place and was not placed, whatever
/// the reason; nullopt if there is none, or if there are several.
std::optional<LaunchId> find_refused_alone(const DispatchState& state);

/// Called at the end of a turn. Returns the only waiting launch, if it waits because no core takes its next work-group.
/// Until a launch arrives or ends, no other one can be placed.
std::optional<LaunchId> find_only_waiting_launch(const DispatchState& state);

/// Called at the beginning of a turn: tries to get by with the only waiting launch. Returns true if the turn is over:
/// that launch is refused again wherever something was released, or something was released on one core only, which
/// takes its next work-groups. Otherwise the state is unchanged, except for the count of evaluations.
bool take_incremental_turn(DispatchState& state);

}  // namespace gdsim
