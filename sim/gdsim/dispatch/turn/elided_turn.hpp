#pragma once

#include <gdsim/dispatch/dispatch_state.hpp>

#include <span>

// Slot reuse by work-groups of one launch. If a turn would have no other effect, it can be skipped.

namespace gdsim {

/// Returns true if a turn after the end of one whole work-group of the launch, of `threads` threads, on any of `cores`,
/// would only place the launch's next work-group there.
bool turn_only_reuses_slots(const DispatchState& state, LaunchId launch, std::uint32_t threads,
                            std::span<const CoreId> cores);
/// Returns true if the placement remembers its choices. Then choose_only() must be called for each reused slot.
bool placement_remembers(const DispatchState& state);
/// Makes the placement choose this core, which has the only free slot.
void choose_only(DispatchState& state, CoreId core);
/// Records that `count` slots were reused, the last of them on the core `last`.
void book_reuses(DispatchState& state, LaunchId launch, std::uint64_t count, CoreId last);

}  // namespace gdsim
