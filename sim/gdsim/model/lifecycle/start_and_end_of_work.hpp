#pragma once

#include <gdsim/model/model_state.hpp>

namespace gdsim {

/// Sets all members that depend on the work-group's number and wave. Must be called when it begins its program.
void prepare_group(ModelState& state, GroupIndex group);

/// Lets the threads of a grant enter their program.
void start_threads(ModelState& state, const Grant& grant);

/// Handles the arrival of a launch, which is now ready.
void arrive(ModelState& state, LaunchId launch);

/// Begins copies while engines are free.
void begin_copies(ModelState& state);

/// Begins copies and places work-groups while resources are free.
void take_dispatch_turn(ModelState& state);

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
