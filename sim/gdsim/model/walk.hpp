#pragma once

#include <gdsim/model/model_state.hpp>

namespace gdsim {

/// Sets all that follows from the number of the work-group and its wave: it begins with its program.
void prepare_group(ModelState& state, GroupIndex group);

/// Threads that were placed enter their program.
void start_threads(ModelState& state, const Grant& grant);

// The two steps of start_threads():
/// The threads are resident. Returns them as one cohort, which is not among `state.cohorts` yet.
Cohort make_resident(ModelState& state, const Grant& grant);
/// They begin with their program, as one cohort or as several.
void enter_program(ModelState& state, const Cohort& threads);

/// The cohort is in the middle of an op that takes time, alone with what it uses, since `since`.
void enter_since(ModelState& state, CohortIndex cohort, SimTime since);

/// The cohort follows its program until something takes time or has to be waited for.
void walk(ModelState& state, CohortIndex cohort);

}  // namespace gdsim
