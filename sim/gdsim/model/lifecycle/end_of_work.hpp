#pragma once

#include <gdsim/model/model_state.hpp>

namespace gdsim {

/// The cohort has reached the end of its program. Its contexts, with the last threads what its work-group holds, and
/// with the last work-group its launch follow. Nowhere else does the model release resources.
void end_threads(ModelState& state, CohortIndex cohort);

/// What was to recover by `until` can be taken again.
void end_recoveries(ModelState& state, SimTime until);

/// The copy has ended: its engine is free.
void end_copy(ModelState& state, LaunchId launch);

}  // namespace gdsim
