#pragma once

#include <gdsim/model/model_state.hpp>

namespace gdsim {

/// A phase of the barrier is over: those who waited for it go on, equal ones together.
void open_barrier(ModelState& state, GroupIndex group, std::uint32_t barrier);

/// A child has ended: threads of its parent that wait for it go on at this instant.
void open_child_barrier(ModelState& state, LaunchId child);

}  // namespace gdsim
