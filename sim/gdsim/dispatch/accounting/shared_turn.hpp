#pragma once

#include <gdsim/dispatch/accounting/blocking.hpp>

// What a turn does for launches that share a request (shared_requests()): one of them requests for all.

namespace gdsim {

/// Which launch comes first of the kind of this one may have changed.
inline void renew_head(DispatchState& state, LaunchId launch) {
  state.shared.set_head(launch, state.chooser->head_of_kind(launch));
}

/// Launches that have arrived may share a request from now on.
inline void enter_arrived(DispatchState& state) {
  for (const LaunchId launch : state.arrived) renew_head(state, launch);
  state.arrived.clear();
}

/// A work-group was placed: those that were refused before may wait for another reason from now on.
inline void note_placement(DispatchState& state, const DispatchUnit& unit) {
  if (!state.shared.is_on()) return;
  state.shared.placed(
      [&](LaunchId refused) { return state.ports.has_free() ? why_no_core(state, unit, refused) : WaitReason::ports; });
}

}  // namespace gdsim
