#pragma once

#include <gdsim/model/model_state.hpp>

namespace gdsim {

/// Sets all that follows from the number of the work-group and its wave: it begins with its program.
void prepare_group(ModelState& state, GroupIndex group);

/// Threads that were placed enter their program.
void start_threads(ModelState& state, const Grant& grant);

}  // namespace gdsim
