#pragma once

#include <gdsim/dispatch/dispatch_state.hpp>

#include <optional>

// Contexts stay free because of the last request of a turn (IdleWatch).

namespace gdsim {

/// The last request is of a launch that has another work-group to place.
inline bool last_request_waits(const DispatchState& state, const DispatchUnit& unit) {
  const auto& request = unit.search.last();
  return request && (state.progress.has_next(request->launch) || unit.partials.spread());
}

/// Of the launches that were refused in this turn and may be on its cores: the one that was named last.
inline std::optional<LaunchId> last_refused(const DispatchState& state, const DispatchUnit& unit) {
  const auto own = state.waits.last_refused([&](LaunchId launch) {
    const auto core = state.selections.of(launch).next(unit.cores.first);
    return state.progress.has_next(launch) && core && unit.cores.contains(static_cast<CoreId>(*core));
  });
  const auto shared = state.shared.last_refused();
  if (!own || !shared)
    return own ? std::optional(own->launch) : shared ? std::optional(shared->position.second) : std::nullopt;
  return own->stop < shared ? shared->position.second : own->launch;
}

/// The launch that has to request once more; nothing: the last request stands.
inline std::optional<LaunchId> last_to_request(const DispatchState& state, const DispatchUnit& unit,
                                               std::optional<LaunchId> next) {
  if (last_request_waits(state, unit)) return state.ports.has_free() ? state.shared.last_to_request() : std::nullopt;
  return unit.is_busy() ? next : last_refused(state, unit);
}

/// At the end of a turn: makes the request that would have been the last, had launches that share a request each made
/// theirs. If the last to request has nothing left, that of the launch that was refused last; `next`: which one the
/// dispatcher would try, were it not busy.
inline void make_last_request(DispatchState& state, DispatchUnit& unit, std::optional<LaunchId> next) {
  if (const auto launch = last_to_request(state, unit, next))
    unit.search.request(*launch, state.progress.next_footprint(*launch));
}

}  // namespace gdsim
