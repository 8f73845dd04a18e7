#pragma once

#include <gdsim/model/model_state.hpp>

#include <span>

namespace gdsim {

/// Removes the pending events of the cohorts, which continue without events until they are resumed.
void suspend(ModelState& state, std::span<const CohortIndex> cohorts);

/// Resumes a suspended cohort as the work-group `number`, placed at `since`, at the position of this work-group now.
/// The cohort must have all threads of its work-group, and its program only fixed times and barriers without cost.
/// Books the execution time of all work-groups in its slot since the suspension.
void resume_as(ModelState& state, CohortIndex cohort, WorkGroupId number, SimTime since);

}  // namespace gdsim
