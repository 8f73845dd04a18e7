#pragma once

#include <gdsim/model/model_state.hpp>

namespace gdsim {

/// Handles the arrival of a launch, which is now ready.
void arrive(ModelState& state, LaunchId launch);

/// Begins copies while engines are free.
void begin_copies(ModelState& state);

/// Begins copies and places work-groups while resources are free.
void take_dispatch_turn(ModelState& state);

}  // namespace gdsim
