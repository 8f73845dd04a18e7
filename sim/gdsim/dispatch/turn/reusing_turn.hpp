#pragma once

#include <gdsim/dispatch/dispatch_state.hpp>

#include <span>

// Slot reuse by work-groups of one launch: when a turn would do only this, so that it can be left out, and its changes.

namespace gdsim {

/// Returns true if a turn would only place the launch's next work-group where one has ended, if the only change before
/// it is the end of one whole work-group of `threads` threads of the launch, on any of `cores`.
bool turn_only_reuses_slots(const DispatchState& state, LaunchId launch, std::uint32_t threads,
                            std::span<const CoreId> cores);
/// Returns true if the placement remembers the cores that it chose: then choose_only() is called for each reused slot.
bool placement_remembers(const DispatchState& state);
/// The next work-group of the launch was placed in the only free slot, on this core.
void choose_only(DispatchState& state, CoreId core);
/// `count` slots were reused, the last of them on `last`.
void book_reuses(DispatchState& state, LaunchId launch, std::uint64_t count, CoreId last);

}  // namespace gdsim
