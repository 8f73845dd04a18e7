#pragma once

#include <gdsim/model/step_state.hpp>

namespace gdsim {

/// Executes ops as if the cohort had entered the first of them at `since`, up to the op that has not ended now. No
/// other cohort may use the resources of these ops.
void enter_since(StepState& state, CohortIndex cohort, SimTime since);

/// Executes the cohort's program until an op takes time or has to wait.
void execute_until_blocked(StepState& state, CohortIndex cohort);

}  // namespace gdsim
