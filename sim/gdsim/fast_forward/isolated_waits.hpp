#pragma once

#include <gdsim/fast_forward/isolated_path.hpp>

namespace gdsim {

/// Adds to the state's wait log what the cohort waited for in the ops that it has executed in isolation, in `time`
/// from `cohort.since` on. `time` ends with an op.
void add_isolated_waits(StepState& state, const IsolatedPath& path, const Cohort& cohort, Duration time);

}  // namespace gdsim
