#pragma once

#include <gdsim/model/model_state.hpp>

namespace gdsim {

/// Sets all that follows from the number of the work-group and its wave: it begins with its program.
void prepare_group(ModelState& state, GroupIndex group);

/// Threads that were placed enter their program.
void start_threads(ModelState& state, const Grant& grant);

/// The cohort is in the middle of an op that takes time, alone with what it uses, since `since`.
void enter_since(ModelState& state, CohortIndex cohort, SimTime since);

/// The cohort follows its program until something takes time or has to be waited for.
void execute_until_blocked(ModelState& state, CohortIndex cohort);

}  // namespace gdsim
