#pragma once

#include <gdsim/model/model_state.hpp>

namespace gdsim {

/// A phase of the barrier is complete: threads that waited for it continue, equal ones as one cohort.
void open_barrier(ModelState& state, GroupIndex group, std::uint32_t barrier);

/// A child has ended: threads of its parent that wait for it continue at this instant.
void open_child_barrier(ModelState& state, LaunchId child);

}  // namespace gdsim
