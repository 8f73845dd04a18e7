#pragma once

#include <gdsim/model/model_state.hpp>

namespace gdsim {

/// Ends a cohort that has reached the end of its program, and releases its contexts. The last threads end their
/// work-group, and the last work-group ends its launch. No other function of the model releases resources.
void end_threads(ModelState& state, CohortIndex cohort);

/// Frees the resources whose recovery ends by `until`.
void end_recoveries(ModelState& state, SimTime until);

/// Ends the launch, whose last store under way has ended, if nothing else of it is left. A turn follows: others may have
/// waited for its end.
void end_drained(ModelState& state, LaunchId launch);

/// Ends a copy and frees its engine.
void end_copy(ModelState& state, LaunchId launch);

}  // namespace gdsim
