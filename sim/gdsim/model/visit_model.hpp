#pragma once

#include <gdsim/base/state_visitor.hpp>
#include <gdsim/model/model_state.hpp>

namespace gdsim {

/// Returns true if the event is the end of suspended iterations of a launch that has no work-group left to dispatch.
/// No later work-group repeats it, so a recurrence does not move it.
bool keeps_its_time(const ModelState& state, const Event& event);

/// Visits all state that determines later events, and the accumulators of present launches. Excludes arrivals of
/// launches and ends of copies, which have absolute times. Returns true if the state can be described; otherwise it
/// does not recur. Must be called between instants.
bool visit_model(ModelState& state, StateVisitor& visitor);

}  // namespace gdsim
