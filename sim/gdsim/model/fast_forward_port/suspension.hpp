#pragma once

#include <gdsim/model/model_state.hpp>

#include <span>

namespace gdsim {

/// The cohorts continue without events until they are resumed: those that are pending are taken away.
void suspend(ModelState& state, std::span<const CohortIndex> cohorts);

/// A suspended cohort, which has all threads of its work-group, and whose program has only fixed times and barriers
/// that cost nothing. It stands for the work-group `number` from now on, which was placed at `since`, and continues
/// where that is now. What work-groups in its place executed meanwhile is booked.
void resume_as(ModelState& state, CohortIndex cohort, WorkGroupId number, SimTime since);

}  // namespace gdsim
