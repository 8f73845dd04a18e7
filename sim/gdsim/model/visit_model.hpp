#pragma once

#include <gdsim/base/state_visitor.hpp>
#include <gdsim/model/model_state.hpp>

namespace gdsim {

/// The event is the end of iterations for which a cohort was taken out, of a launch without further work-groups: no
/// other cohort can take its place, so it stands where it is while others recur, and neither is moved.
bool keeps_its_time(const ModelState& state, const Event& event);

/// Walks all that the future of the model follows from, between instants; of what has been, the accumulators of
/// launches that are present. Arrivals of launches and ends of copies are left out: they happen when they happen. False
/// if the state cannot be described: it does not recur.
bool visit_model(ModelState& state, StateVisitor& visitor);

}  // namespace gdsim
