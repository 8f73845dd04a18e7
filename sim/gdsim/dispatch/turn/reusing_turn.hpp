#pragma once

#include <gdsim/dispatch/dispatch_state.hpp>

#include <span>

// Work-groups of one launch that follow each other in their slots: when that is all a turn would do, so that it need
// not be taken, and what it would leave behind.

namespace gdsim {

/// Whether a turn would only place the launch's next work-group where one has ended: if the only change before it is
/// the end of one whole work-group of so many threads of the launch, on any of `cores`.
bool turn_only_reuses_slots(const DispatchState& state, LaunchId launch, std::uint32_t threads,
                            std::span<const CoreId> cores);
/// The placement remembers which cores it chose: choose_only() is to be called for each slot that is reused.
bool placement_remembers(const DispatchState& state);
/// The next work-group of the launch was placed in the only slot that had come free, on this core.
void choose_only(DispatchState& state, CoreId core);
/// So many slots were reused, the last of them there.
void book_reuses(DispatchState& state, LaunchId launch, std::uint64_t count, CoreId last);

}  // namespace gdsim
