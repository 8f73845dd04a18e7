#pragma once

#include <gdsim/model/model_state.hpp>
#include <gdsim/record/run_record.hpp>

namespace gdsim {

/// Which threads and launches wait for what in a model that has work left and no event to come, before settlement.
Deadlock diagnose_deadlock(const ModelState& state);

}  // namespace gdsim
