#pragma once

#include <gdsim/model/model_state.hpp>

#include <span>

namespace gdsim {

/// The cohorts continue without events until they are resumed: removes their pending events.
void suspend(ModelState& state, std::span<const CohortIndex> cohorts);

/// Resumes a suspended cohort as the work-group `number`, which was placed at `since`, where that work-group is now.
/// The cohort has all threads of its work-group, and its program has only fixed times and barriers that cost nothing.
/// Books the work that work-groups in its slot executed meanwhile.
void resume_as(ModelState& state, CohortIndex cohort, WorkGroupId number, SimTime since);

}  // namespace gdsim
