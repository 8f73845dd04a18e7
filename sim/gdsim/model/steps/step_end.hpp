#pragma once

#include <gdsim/model/step_state.hpp>

#include <span>

namespace gdsim {

/// Executes the cohort's program until an op takes time or has to wait.
void execute_until_blocked(StepState& state, CohortIndex cohort);

/// Handles the answer to the load, or the end of the store, that this cohort represents: threads that wait for it, or
/// for newer ones that were served before, continue.
void end_load(StepState& state, CohortIndex index);

/// Threads that waited until fewer stores were under way continue. Must be called after all ends of stores of an
/// instant.
void continue_after_stores(StepState& state);

/// Returns the picoseconds, of its wait for this load, that the cohort would have waited without contention.
std::int64_t executed_waiting(const Loads::Load& load, const Cohort& cohort);

/// Ends the steps of the cohorts of these events, which continue. Merges equal cohorts that issue slots had split.
void end_steps(StepState& state, std::span<const Event> events);

/// Takes the completed work of a shared resource. The steps of its users, or the users themselves, end at this instant.
void end_shared_work(StepState& state, std::uint32_t resource);

}  // namespace gdsim
