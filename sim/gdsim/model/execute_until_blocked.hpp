#pragma once

#include <gdsim/model/step_state.hpp>

namespace gdsim {

/// The cohort enters ops as of `since`: it alone uses their resources, and is in the middle of the last of them now.
void enter_since(StepState& state, CohortIndex cohort, SimTime since);

/// Executes the cohort's program until something takes time or has to be waited for.
void execute_until_blocked(StepState& state, CohortIndex cohort);

}  // namespace gdsim
