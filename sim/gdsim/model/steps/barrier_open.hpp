#pragma once

#include <gdsim/model/step_state.hpp>

namespace gdsim {

/// A phase of the event's barrier has ended: threads that waited for it continue, equal ones as one cohort.
void open_barrier(StepState& state, const Event& event);

/// A child has ended: threads of its parent that wait for it continue at this instant.
void open_child_barrier(StepState& state, LaunchId child);

}  // namespace gdsim
