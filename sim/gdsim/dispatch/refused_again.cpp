#include <gdsim/dispatch/refused_again.hpp>

namespace gdsim {

std::optional<LaunchId> refused_alone(const DispatchState& state) {
  // Launches that share requests or own cores are named in ways of their own.
  const bool is_plain = state.units.size() == 1 && !state.begins.takes_time() && !state.shared.is_on() &&
                        state.rules.core_sharing != CoreSharing::exclusive;
  if (!is_plain || !state.remainders.empty() || !state.ports.has_free()) return std::nullopt;
  const DispatchUnit& unit = state.units.first();
  const auto& request = unit.search.last();
  if (unit.is_busy() || unit.partials.spread() || !request || !unit.search.is_refused()) return std::nullopt;
  if (request->cluster > 1) return std::nullopt;  // what is released on one core counts for others
  const LaunchId launch = request->launch;
  const bool waits = state.waits.waits_alone(launch) && state.progress.has_next(launch);
  return waits ? std::optional(launch) : std::nullopt;
}

bool refuse_again(DispatchState& state) {
  if (!state.refused_alone) return false;
  const LaunchId launch = *state.refused_alone;
  DispatchUnit& unit = state.units.first();
  const IndexSet& allowed = state.selections.of(launch);
  for (auto core = state.changed.next(0); core; core = state.changed.next(*core + 1)) {
    const bool is_refused = allowed.contains(*core) && !unit.partials.contains(*core) &&
                            unit.search.still_refuses(static_cast<CoreId>(*core));
    if (!is_refused) return false;
  }
  const auto first = state.changed.next(0);
  if (first) state.last_changed = first;
  for (auto core = first; core; core = state.changed.next(*core + 1)) {
    const auto id = static_cast<CoreId>(*core);
    const WaitReason reason = unit.search.stall_reason(id);
    if (core == first && !state.waits.waits_for(launch, reason)) {
      state.waits.settle(state.now);
      state.waits.block(launch, reason, state.now);
    }
    unit.search.note_release(id);
    unit.idle.refused_again(id, reason, state.now);
    state.changed.erase(*core);
  }
  unit.search.note_refusal();
  return true;
}

}  // namespace gdsim
