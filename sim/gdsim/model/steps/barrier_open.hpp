#pragma once

#include <gdsim/model/model_state.hpp>

namespace gdsim {

/// A phase of the event's barrier has ended: threads that waited for it continue, equal ones as one cohort.
void open_barrier(ModelState& state, const Event& event);

/// A child has ended: threads of its parent that wait for it continue at this instant.
void open_child_barrier(ModelState& state, LaunchId child);

}  // namespace gdsim
