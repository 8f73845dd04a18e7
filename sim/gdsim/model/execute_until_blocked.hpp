#pragma once

#include <gdsim/model/step_state.hpp>

namespace gdsim {

/// Executes the cohort's program until an op takes time or has to wait.
void execute_until_blocked(StepState& state, CohortIndex cohort);

}  // namespace gdsim
