#pragma once

#include <gdsim/dispatch/dispatch_state.hpp>

#include <optional>

// Where one launch waits alone, a turn has little to find out: whether what was released is enough for its next
// work-group. Such a turn can be short: it leaves behind what a whole turn would.

namespace gdsim {

/// At the end of a turn: the only launch that has something to be placed and is not placed, whatever the reason;
/// nothing: there is none, or there are several.
std::optional<LaunchId> find_refused_alone(const DispatchState& state);

/// Likewise: the launch that waits alone, only because no core takes its next work-group. Until a launch
/// arrives or ends, no other can be placed.
std::optional<LaunchId> find_only_waiting_launch(const DispatchState& state);

/// At the beginning of a turn: tries to get by with the only waiting launch. The turn is over, and true is returned, if
/// that launch is refused again wherever something was released, or if something was released on one core only, which
/// takes its next work-groups. Otherwise the state is as it was, but for the count of evaluations.
bool take_incremental_turn(DispatchState& state);

}  // namespace gdsim
