#include <gdsim/dispatch/refused_again.hpp>

#include <gdsim/dispatch/blocking.hpp>

namespace gdsim {

std::optional<LaunchId> refused_alone(const DispatchState& state) {
  // Launches that share requests or own cores are named in ways of their own.
  const bool is_plain = state.units.size() == 1 && !state.begins.takes_time() && !state.shared.is_on() &&
                        state.rules.core_sharing != CoreSharing::exclusive;
  if (!is_plain || !state.remainders.empty() || !state.ports.has_free()) return std::nullopt;
  const DispatchUnit& unit = state.units.first();
  const auto& request = unit.search.last();
  if (unit.is_busy() || unit.partials.spread() || !request || !unit.search.is_refused()) return std::nullopt;
  const LaunchId launch = request->launch;
  const bool waits = state.waits.waits_alone(launch) && state.progress.has_next(launch);
  return waits ? std::optional(launch) : std::nullopt;
}

bool refuse_again(DispatchState& state) {
  if (!state.refused_alone) return false;
  DispatchUnit& unit = state.units.first();
  const bool may_place = !unit.search.is_refused() || !unit.released.empty();
  if (may_place) return false;
  unit.search.note_refusal();
  if (const WaitReason reason = why_no_core(state, unit); !state.waits.waits_for(*state.refused_alone, reason)) {
    state.waits.settle(state.now);
    state.waits.block(*state.refused_alone, reason, state.now);
  }
  unit.idle.on_turn_end(true, std::nullopt, state.now);
  return true;
}

}  // namespace gdsim
