#pragma once

#include <gdsim/model/step_state.hpp>

namespace gdsim {

/// The cohort is in the middle of an op that takes time, alone with what it uses, since `since`.
void enter_since(StepState& state, CohortIndex cohort, SimTime since);

/// The cohort follows its program until something takes time or has to be waited for.
void execute_until_blocked(StepState& state, CohortIndex cohort);

}  // namespace gdsim
