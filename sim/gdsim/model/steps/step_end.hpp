#pragma once

#include <gdsim/model/step_state.hpp>

#include <span>

namespace gdsim {

/// Ends the steps of the cohorts of these events, which continue. Merges equal cohorts that issue slots had split.
void end_steps(StepState& state, std::span<const Event> events);

/// Takes the completed work of a shared resource. The steps of its users, or the users themselves, end at this instant.
void end_shared_work(StepState& state, std::uint32_t resource);

}  // namespace gdsim
