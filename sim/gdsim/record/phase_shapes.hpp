#pragma once

#include <gdsim/record/phase_profile.hpp>
#include <gdsim/record/phases.hpp>

#include <span>

namespace gdsim {

/// The run that a profile is of.
struct ProfiledRun {
  SimTime start;
  SimTime end;
  std::uint64_t last_resident = 0;  ///< threads that are left at `end`
};

/// The phases that a profile shows; `items` follow each other without gaps from the first dispatch to the end.
///
/// 1. An item is *long* if it is one interval that lasts at least the shortest phase of the run. A long item between
/// two
///    changes that are no higher than the band, and shorter than twenty such phases, is a *step*.
/// 2. Steps and short items next to each other make a stretch. A stretch of fewer than nine intervals is no slope: its
///    steps are constant phases, its short items transitions. So is the whole stretch a transition if it is shorter
///    than a phase.
/// 3. In other stretches, the longest band is found, then the longest ones to its left and right, and so on. A band
///    lasts at least a phase and an eighth of its stretch; its count stays within the band around its mean, and its
///    rises and falls, added up, differ by at most half of their sum.
/// 4. What is left of a stretch is cut at jumps, which are changes higher than the band; parts shorter than a phase
/// stay
///    together. In the others, what only rises or only falls at the beginning and at the end is cut off if it lasts a
///    phase. Each is a tail if it falls at least three times as much as it rises, else a ramp.
/// 5. Long items that are no steps are constant phases. Two of them with the same count and only a transition between
///    them are one phase, if its mean stays within half a percentage point of that count.
PhaseList phases_of(std::span<const ProfileItem> items, const ProfiledRun& run, const PhaseRules& rules);

}  // namespace gdsim
