#include <gdsim/dispatch/shared_turn.hpp>

#include <gdsim/dispatch/blocking.hpp>

namespace gdsim {

void enter_arrived(DispatchState& state) {
  for (const LaunchId launch : state.arrived) renew_head(state, launch);
  state.arrived.clear();
}

void renew_head(DispatchState& state, LaunchId launch) {
  state.shared.set_head(launch, state.chooser->head_of_kind(launch));
}

void note_placement(DispatchState& state, const DispatchUnit& unit) {
  if (!state.shared.is_on()) return;
  state.shared.placed(
      [&](LaunchId refused) { return state.ports.has_free() ? why_no_core(state, unit, refused) : WaitReason::ports; });
}

void make_last_request(DispatchState& state, DispatchUnit& unit) {
  if (!state.shared.is_on() || !state.ports.has_free()) return;
  if (const auto launch = state.shared.last_to_request())
    unit.search.request(*launch, state.progress.next_footprint(*launch));
}

}  // namespace gdsim
