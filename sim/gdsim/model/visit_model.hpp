#pragma once

#include <gdsim/base/state_visitor.hpp>
#include <gdsim/model/model_state.hpp>

namespace gdsim {

/// Walks all that the future of the model follows from, between instants; of what has been, the accumulators of
/// launches that are present. Arrivals of launches and ends of copies are left out: they happen when they happen. False
/// if the state cannot be described: it does not recur.
bool visit_model(ModelState& state, StateVisitor& visitor);

}  // namespace gdsim
