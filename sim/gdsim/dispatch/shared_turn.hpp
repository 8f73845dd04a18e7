#pragma once

#include <gdsim/dispatch/dispatch_state.hpp>

// What a turn does for launches that share a request (shared_requests()): one of them requests for all.

namespace gdsim {

/// Launches that have arrived may share a request from now on.
void enter_arrived(DispatchState& state);
/// Which launch comes first of the kind of this one may have changed.
void renew_head(DispatchState& state, LaunchId launch);
/// A work-group was placed: those that were refused before may wait for another reason from now on.
void note_placement(DispatchState& state, const DispatchUnit& unit);
/// The request is made that would have been the last, had each requested for itself.
void make_last_request(DispatchState& state, DispatchUnit& unit);

}  // namespace gdsim
