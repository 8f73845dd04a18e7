#pragma once

#include <gdsim/model/step_state.hpp>

namespace gdsim {

/// Handles the answer to the load that this cohort represents: threads that wait for it, or for newer loads that were
/// answered before, continue.
void end_load(StepState& state, CohortIndex index);

/// Returns the picoseconds, of its wait for this load, that the cohort would have waited without contention.
std::int64_t executed_waiting(const Loads::Load& load, const Cohort& cohort);

}  // namespace gdsim
