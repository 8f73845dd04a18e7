#pragma once

#include <gdsim/model/model_state.hpp>

namespace gdsim {

/// The launch arrives at the device: it is ready.
void arrive(ModelState& state, LaunchId launch);

/// Begins copies as far as engines are free.
void begin_copies(ModelState& state);

/// Begins copies and places work-groups as far as they fit.
void take_dispatch_turn(ModelState& state);

}  // namespace gdsim
