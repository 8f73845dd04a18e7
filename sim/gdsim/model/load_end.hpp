#pragma once

#include <gdsim/model/model_state.hpp>

namespace gdsim {

/// The load for which this cohort stands is back: those who wait for it, or for newer ones that were back before, go
/// on.
void end_load(ModelState& state, CohortIndex index);

/// How much of the time that they waited for this load these would have waited with the memory for themselves.
std::int64_t executed_waiting(const Loads::Load& load, const Cohort& cohort);

}  // namespace gdsim
