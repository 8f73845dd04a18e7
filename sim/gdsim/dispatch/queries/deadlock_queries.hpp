#pragma once

#include <gdsim/dispatch/dispatch_state.hpp>
#include <gdsim/dispatch/placement/refusal_reasons.hpp>

#include <optional>

// Queries for the diagnosis of deadlocks.

namespace gdsim {

/// Returns why the core rejects a work-group of the launch, which needs `footprint`, or nullopt.
inline std::optional<WaitReason> wait_reason(const DispatchState& state, LaunchId launch, const Footprint& footprint,
                                             CoreId core) {
  return RefusalReasons(state.dispatchers.of(core).search).of(launch, footprint, core);
}
/// Returns true if two launches have the same kernel and the same cores.
inline bool are_of_one_kind(const DispatchState& state, LaunchId a, LaunchId b) {
  return state.classes_by_kernel_and_cores[a] == state.classes_by_kernel_and_cores[b];
}
/// Returns true if the core's partially placed work-group holds a port.
inline bool holds_port(const DispatchState& state, CoreId core) {
  const auto& partial = state.dispatchers.of(core).partials.on(index_of(core));
  return partial && partial->holds_port;
}

}  // namespace gdsim
