#pragma once

#include <gdsim/model/model_state.hpp>

namespace gdsim {

/// Sets everything that follows from the work-group's number and wave. The work-group begins its program.
void prepare_group(ModelState& state, GroupIndex group);

/// Threads that were placed enter their program.
void start_threads(ModelState& state, const Grant& grant);

}  // namespace gdsim
