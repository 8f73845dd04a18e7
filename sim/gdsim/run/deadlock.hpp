#pragma once

#include <gdsim/model/model_state.hpp>
#include <gdsim/record/run_record.hpp>

namespace gdsim {

/// Finds the waits of threads and launches in a model that has work left but no pending event. Must be called before
/// settlement.
Deadlock diagnose_deadlock(const ModelState& state);

}  // namespace gdsim
