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

}  // namespace gdsim
