#pragma once

#include <gdsim/dispatch/dispatch_state.hpp>

#include <optional>

// Where one launch waits alone, a turn has little to find out: whether what was released is enough for its next
// work-group. Such a turn can be short: it leaves behind what a whole turn would.

namespace gdsim {

/// To be called at the end of a turn. Returns the only launch that has something left to place and was not placed,
/// whatever the reason; nothing if there is none, or if there are several.
std::optional<LaunchId> find_refused_alone(const DispatchState& state);

/// To be called at the end of a turn. Returns the only waiting launch, if it waits because no core takes its next
/// work-group. Until a launch arrives or ends, no other one can be placed.
std::optional<LaunchId> find_only_waiting_launch(const DispatchState& state);

/// At the beginning of a turn: tries to get by with the only waiting launch. The turn is over, and true is returned, if
/// that launch is refused again wherever something was released, or if something was released on one core only, which
/// takes its next work-groups. Otherwise the state is as it was, but for the count of evaluations.
bool take_incremental_turn(DispatchState& state);

}  // namespace gdsim
