#pragma once

#include <gdsim/fast_forward/isolated_path.hpp>

namespace gdsim {

/// Adds to the state's wait log the waits of the cohort in the ops that it has executed in isolation, in `time` from
/// `cohort.since` on. `time` must end with an op.
void add_isolated_waits(StepState& state, const IsolatedPath& path, const Cohort& cohort, Duration time);

}  // namespace gdsim
