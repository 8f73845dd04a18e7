#pragma once

#include <gdsim/model/step_state.hpp>

#include <span>

namespace gdsim {

/// The cohorts of these events have completed their steps and continue; equal ones that issue slots had split are
/// merged.
void end_steps(StepState& state, std::span<const Event> events);

/// Work on a shared resource is done: its users' steps, or the users themselves, end at this instant.
void end_shared_work(StepState& state, std::uint32_t resource);

}  // namespace gdsim
