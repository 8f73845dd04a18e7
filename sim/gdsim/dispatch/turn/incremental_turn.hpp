#pragma once

#include <gdsim/dispatch/dispatch_state.hpp>

#include <optional>

// If only one launch waits, a turn only needs to check whether the released resources are enough for its next
// work-group. Such an incremental turn has the same result as a whole turn.

namespace gdsim {

/// Returns the only launch that has threads left to place and could not place them, for any reason, or nullopt if there
/// is none or more than one. Must be called at the end of a turn.
std::optional<LaunchId> find_only_refused_launch(const DispatchState& state);

/// Returns the only waiting launch if it waits because no core takes its next work-group, else nullopt. Until a launch
/// arrives or ends, no other one can be placed. Must be called at the end of a turn.
std::optional<LaunchId> find_launch_waiting_for_core(const DispatchState& state);

/// Tries to take the turn for the only waiting launch alone. Returns true if the turn is over: every core with a
/// release refuses the launch again, or there is only one such core, and it takes the launch's next work-groups.
/// Otherwise, the state is unchanged except for the count of evaluations. Must be called at the beginning of a turn.
bool take_incremental_turn(DispatchState& state);

}  // namespace gdsim
