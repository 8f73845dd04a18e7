#pragma once

#include <gdsim/model/model_state.hpp>

namespace gdsim {

/// The launch arrives at the device: it is ready.
void arrive(ModelState& state, LaunchId launch);

/// Copies begin and work-groups are placed, as far as they fit.
void take_dispatch_turn(ModelState& state);

}  // namespace gdsim
