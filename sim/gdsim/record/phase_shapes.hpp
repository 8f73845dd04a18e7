#pragma once

#include <gdsim/record/phase_profile.hpp>
#include <gdsim/record/phases.hpp>

#include <span>

// Rule, to the picosecond: phases.
//
// The functions of phase_shapes.cpp are in the order of these steps.
//
// `min_phase` (default `0.5 %` of the time from first dispatch to last end; or a time) is the shortest phase.
//
// Phases are found in one pass, in memory that does not grow with the run:
//
// 1. An "interval" lasts from one change of the number of resident threads to the next. One that lasts at least
//    `min_phase` of the time elapsed when it ends is kept. Shorter ones are summed up in up to 2,048 "cells":
//    equally wide stretches of time from the first dispatch on, whose width in picoseconds is a power of two that
//    doubles as the run gets longer. An interval belongs to the cell in which it begins; intervals are never cut,
//    so every boundary of a phase is a change of residency. A "jump" is a change by more than 2.5 % of the
//    contexts. A cell is parted at its jumps unless there are more than three.
// 2. At the end, an item is an interval that was kept, or a part of a cell. It is "long" if it is an interval that
//    lasts at least `min_phase` of the whole run. A long item is a "step" if it is shorter than 20 `min_phase` and
//    if neither the change to it nor the change after it is a jump. Steps and items that are not long, next to
//    each other, make a "stretch".
// 3. Long items outside of stretches are constant phases. In a stretch of fewer than nine intervals, steps are
//    constant phases, too, and an item that is not long is a transition. A stretch shorter than `min_phase` is a
//    transition.
// 4. In any other stretch, the longest band is found, then the longest ones to the left and to the right of it,
//    and so on. A band lasts at least `min_phase` and an eighth of its stretch. Its count stays within the band
//    around its mean. The sum of its rises and the sum of its falls differ by at most half of both together.
// 5. A part without bands "swings" if the sums of its rises and falls balance as in a band and at least every
//    fourth change of it is a jump: it is one phase, with its range in `threads_min` and `threads_max`. Else it
//    is cut at jumps, and where an item that is shorter than `min_phase` rises by a quarter of the contexts or
//    more: a device that takes time to dispatch fills in many small steps. Neighbours that are shorter than
//    `min_phase` stay together. In the others, and in a part that swings, a piece at the beginning and a piece at
//    the end in which the count only rises or only falls are phases of their own if they last `min_phase`. Each piece
//    is a `tail` if it falls at least three times as much as it rises, else a `ramp`; a piece shorter than `min_phase`
//    is a transition.
// 6. Two constant phases of the same count with nothing but a transition between them are one, if its mean stays
//    within half a percentage point of that count. `threads_min` and `threads_max` show the dip.
//
// Why steps are no phases. A tail of drawn durations ends in ever longer steps: of 512 blocks with lognormal
// durations (cv 0.5) on an RTX 4090, some two dozen constant stretches last at least `min_phase` each. If each of
// them were a phase, the run would have 26; with steps up to 8 `min_phase` it has 9, with steps up to 20 it has 4:
// plateau, tail, and the last two blocks. A stretch that is longer, that has a jump at one of its ends, or that
// has fewer than nine intervals around it is always a constant phase, so all documented phases are.
//
// Why a part that swings is a `ramp`. A band is within 2.5 points of its mean, whatever the device. A device that
// holds twenty work-groups cannot be as steady as that: each is 5 %. Its ups and downs are one phase, not one for
// each jump, but the phase has no level that a file could expect.

namespace gdsim {

/// The properties of a run that its phases depend on, besides the items of its profile.
struct ProfiledRun {
  SimTime begin;
  SimTime end;
  std::uint64_t last_resident = 0;  ///< resident threads at `end`
};

/// Returns the phases of a profile by the rule above. `items` follow each other without gaps from the first dispatch to
/// the end.
PhaseList phases_of(std::span<const ProfileItem> items, const ProfiledRun& run, const PhaseRules& rules);

}  // namespace gdsim
