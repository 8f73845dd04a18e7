#pragma once

#include <gdsim/model/step_state.hpp>

namespace gdsim {

/// Handles the answer to the load, or the end of the store, that this cohort represents: threads that wait for it, or
/// for newer ones that were served before, continue.
void end_load(StepState& state, CohortIndex index);

/// Threads that waited until fewer stores were under way continue. Must be called after all ends of stores of an
/// instant.
void continue_after_stores(StepState& state);

/// Returns the picoseconds, of its wait for this load, that the cohort would have waited without contention.
std::int64_t executed_waiting(const Loads::Load& load, const Cohort& cohort);

}  // namespace gdsim
