#pragma once

#include "oracle/world.hpp"

#include <optional>

// Dispatch that takes time: intervals, recovery, launch cost; and the dispatchers.

namespace gdsim::oracle {

/// Picoseconds of a time that no factor changes: rounded once, halves up.
Lengths lengths_of(const World& world, const StepTime& time);
/// Launches cost time, and begin when they are named.
bool launches_cost(const World& world);

/// Prepares one dispatcher for the device, one per core, or one per group of a level.
void prepare_dispatchers(World& world);

/// The dispatcher has placed `threads` threads, of one of `work_groups` work-groups that are placed together.
void keep_busy(World& world, DispatcherState& dispatcher, std::uint64_t threads, std::uint64_t work_groups);
bool is_busy(const World& world, const DispatcherState& dispatcher);

/// What the thread, or the work-group apart from its threads, held of a core can be taken again: at once, or as soon as
/// it has recovered.
void release(World& world, Group& group, std::size_t core, const Thread* thread);
/// Something recovers now.
bool recovers(World& world);

/// The launch is named: where launches cost time, it begins. True if its work-groups can be placed now.
bool may_place(World& world, std::size_t launch);
/// The launch is ready now: when the overlapping part of its cost is paid.
void note_overlapped(World& world, std::size_t launch);
/// It has begun, and its work-groups cannot be placed yet.
bool is_preparing(const World& world, std::size_t launch);

/// The next time at which something recovers, a dispatcher is no longer busy, or a launch is prepared.
std::optional<Time> next_timing(const World& world);
/// A turn takes place now because a dispatcher is no longer busy, or a launch is prepared.
bool brings_a_turn(const World& world);

}  // namespace gdsim::oracle
