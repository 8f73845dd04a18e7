#pragma once

#include "oracle/world.hpp"

#include <optional>

// Dispatch that takes time: intervals, recovery, launch cost; and the dispatchers.

namespace gdsim::oracle {

/// Returns the picoseconds of a time that no factor changes: rounded once, halves up.
Lengths lengths_of(const World& world, const StepTime& time);
/// Returns true if launches have a cost, so that they begin when they are chosen.
bool launches_cost(const World& world);

/// Prepares one dispatcher for the device, one per core, or one per group of a level.
void prepare_dispatchers(World& world);

/// Makes the dispatcher busy: it has placed `threads` threads, of one of `work_groups` work-groups placed together.
void keep_busy(World& world, DispatcherState& dispatcher, std::uint64_t threads, std::uint64_t work_groups);
bool is_busy(const World& world, const DispatcherState& dispatcher);

/// Releases the resources of the thread, or of the work-group apart from its threads, on a core: at once, or after the
/// recovery.
void release(World& world, Group& group, std::size_t core, const Thread* thread);
/// Ends a recovery that is over. Returns false if there is none.
bool recovers(World& world);

/// Begins a chosen launch if launches have a cost. Returns true if its work-groups can be placed now.
bool may_place(World& world, std::size_t launch);
/// Records when the overlapping part of the cost of the launch, which becomes ready now, will be paid.
void note_overlapped(World& world, std::size_t launch);
/// Returns true if it has begun, and its work-groups cannot be placed yet.
bool is_preparing(const World& world, std::size_t launch);

/// Returns the next time at which a recovery ends, a dispatcher is no longer busy, or a launch is prepared.
std::optional<Time> next_timing(const World& world);
/// Returns true if a dispatch turn is due now because a dispatcher is no longer busy, or a launch is prepared.
bool brings_a_turn(const World& world);

}  // namespace gdsim::oracle
