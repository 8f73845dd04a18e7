#pragma once

#include <gdsim/model/step_state.hpp>

namespace gdsim {

/// Handles the end of a phase of the event's barrier: threads that waited for it continue, equal ones as one cohort.
void open_barrier(StepState& state, const Event& event);

/// Handles the end of a child: threads of its parent that wait for it continue at this instant.
void open_child_barrier(StepState& state, LaunchId child);

}  // namespace gdsim
