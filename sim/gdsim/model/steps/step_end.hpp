#pragma once

#include <gdsim/model/step_state.hpp>
#include <gdsim/model/steps/operation.hpp>

#include <cstdint>
#include <span>

namespace gdsim {

/// Executes the cohort's program until an op takes time or has to wait.
void execute_until_blocked(StepState& state, CohortIndex cohort);

/// Handles the answer to the load, or the end of the store, that this cohort represents. Threads that wait for it
/// continue. So do threads that wait for newer loads whose answers came earlier: loads of a thread end in order.
void end_load(StepState& state, CohortIndex index);

/// Lets threads continue that waited because too many stores of their core were under way. Must be called after all
/// ends of stores of an instant.
void continue_after_stores(StepState& state);

/// Returns for how many picoseconds the cohort would have waited for this load without contention. They count as
/// executing, not as waiting.
std::int64_t isolated_wait(const Loads::Load& load, const Cohort& cohort);

/// Ends the steps of the cohorts of these events, which continue. Merges equal cohorts that issue slots had split.
void end_steps(StepState& state, std::span<const Event> events);

/// Takes the completed work of a shared resource, and schedules the ends of the steps, loads and stores that it served:
/// now, or after the latency.
void end_shared_work(StepState& state, std::uint32_t resource);

/// Changes to the clock that is in force from this instant on, see ClockSchedule. Completed work on shared resources
/// must have been removed, and no event of the instant may have been handled.
void change_clock(StepState& state);

/// The op's amount is work on a shared resource, of which `left` remains. Returns for how many picoseconds each thread
/// of the cohort has executed it: the sum of the time served under each clock, rounded down.
std::int64_t executed_of_work(const StepState& state, CohortIndex index, std::uint32_t op, FixedPoint left);

/// Records that the work on this op's amount is done, but not its step: later clock changes do not rescale the work.
void keep_done_work(StepState& state, CohortIndex index, std::uint32_t op);

/// Returns for how many picoseconds each thread has executed work that is done, rounded up. The clock may have changed
/// since the work began. Must be called at most once for each work.
std::int64_t executed_across_changes(StepState& state, CohortIndex index, std::uint32_t op);

/// As executed_across_changes(), also if the clock never changes, for the only work of the cohort's step.
inline std::int64_t executed_of_all_work(StepState& state, CohortIndex index) {
  const Cohort& cohort = state.cohorts[index];
  return state.clocks.changes() ? executed_across_changes(state, index, cohort.op) : cohort.work;
}

/// As executed_across_changes(), also if the clock never changes, for one of several works.
inline std::int64_t executed_of_done_work(StepState& state, CohortIndex index, std::uint32_t op) {
  return state.clocks.changes() ? executed_across_changes(state, index, op)
                                : amount_of(state, state.cohorts[index], op);
}

}  // namespace gdsim
