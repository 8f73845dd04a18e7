#pragma once

#include <gdsim/fast_forward/isolated_path.hpp>

namespace gdsim {

/// Adds the waits of the ops that the cohort has executed in isolation to the state's wait log. They are in the `time`
/// from `cohort.since` on, which must end with an op.
void add_isolated_waits(StepState& state, const IsolatedPath& path, const Cohort& cohort, Duration time);

}  // namespace gdsim
