#pragma once

#include <gdsim/model/model_state.hpp>

namespace gdsim {

/// Sets all members that depend on the work-group's number and wave. Must be called when it begins its program.
void prepare_group(ModelState& state, GroupIndex group);

/// Lets the threads of a grant enter their program.
void start_threads(ModelState& state, const Grant& grant);

}  // namespace gdsim
