#pragma once

#include <gdsim/dispatch/dispatch_state.hpp>

#include <optional>

// If only one launch waits, a turn only checks whether the released resources are enough for its next work-group. Such
// a turn can be short: it leaves the same state as a whole turn.

namespace gdsim {

/// Returns the only launch that has something left to place and was not placed for any reason, or nullopt if there is
/// none or more than one. Must be called at the end of a turn.
std::optional<LaunchId> find_refused_alone(const DispatchState& state);

/// Returns the only waiting launch if it waits because no core takes its next work-group, else nullopt. Until a launch
/// arrives or ends, no other one can be placed. Must be called at the end of a turn.
std::optional<LaunchId> find_only_waiting_launch(const DispatchState& state);

/// Tries to handle only the only waiting launch. Returns true if the turn is over: that launch is refused again
/// wherever something was released, or something was released on one core only, which takes its next work-groups.
/// Otherwise the state is unchanged, except for the count of evaluations. Must be called at the beginning of a turn.
bool take_incremental_turn(DispatchState& state);

}  // namespace gdsim
