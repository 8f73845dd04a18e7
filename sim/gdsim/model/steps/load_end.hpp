#pragma once

#include <gdsim/model/step_state.hpp>

namespace gdsim {

/// The load that this cohort represents is back: threads that wait for it, or for newer loads that were back before,
/// continue.
void end_load(StepState& state, CohortIndex index);

/// How much of its time at this load the cohort would have waited with the memory for itself.
std::int64_t executed_waiting(const Loads::Load& load, const Cohort& cohort);

}  // namespace gdsim
