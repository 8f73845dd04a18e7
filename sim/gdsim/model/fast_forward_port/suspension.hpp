#pragma once

#include <gdsim/model/model_state.hpp>
#include <gdsim/program/known_path.hpp>

#include <span>

namespace gdsim {

/// The cohorts continue without events until they are resumed: those that are pending are taken away.
void suspend(ModelState& state, std::span<const CohortIndex> cohorts);

/// Puts a cohort that began its path at `start` where it is when all that ends up to `passed` has ended; it has not
/// reached its own end. Returns when the step in which it is then ends.
SimTime stand_at(Cohort& cohort, const KnownPath& path, SimTime start, SimTime passed);

/// A suspended cohort, which has all threads of its work-group, and whose program has only fixed times and barriers
/// that cost nothing. It stands for the work-group `number` from now on, which was placed at `since`, and continues
/// where that is now. What work-groups in its place executed meanwhile is booked.
void resume_as(ModelState& state, CohortIndex cohort, WorkGroupId number, SimTime since);

}  // namespace gdsim
