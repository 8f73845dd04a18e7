#pragma once

#include <gdsim/model/model_state.hpp>

namespace gdsim {

/// Ends the cohort, which has reached the end of its program, and releases its contexts. The last threads end their
/// work-group, and the last work-group its launch. The model releases resources nowhere else.
void end_threads(ModelState& state, CohortIndex cohort);

/// Resources whose recovery ends by `until` can be taken again.
void end_recoveries(ModelState& state, SimTime until);

/// The copy has ended: its engine is free.
void end_copy(ModelState& state, LaunchId launch);

}  // namespace gdsim
