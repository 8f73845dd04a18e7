#pragma once

#include <gdsim/model/model_state.hpp>

namespace gdsim {

/// Sets all that follows from the number of the work-group and its wave: it begins with its program.
void prepare_group(ModelState& state, GroupIndex group);

/// Threads that were placed enter their program.
void start_threads(ModelState& state, const Grant& grant);

// Both parts of start_threads().
/// Threads that were placed are resident. They are returned together, to enter their program.
Cohort make_resident(ModelState& state, const Grant& grant);
void enter_program(ModelState& state, const Cohort& threads);

/// The cohort is in the middle of an op that takes time, alone with what it uses, since `since`.
void enter_since(ModelState& state, CohortIndex cohort, SimTime since);

/// The cohort follows its program until something takes time or has to be waited for.
void walk(ModelState& state, CohortIndex cohort);

}  // namespace gdsim
