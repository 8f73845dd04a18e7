#pragma once

#include <gdsim/model/steps/operation.hpp>

#include <cstdint>

namespace gdsim {

/// Another clock is in force from this instant on, see ClockSchedule. Work on shared resources that is done has been
/// taken out, and nothing else of the instant has happened.
void change_clock(StepState& state);

/// For how long each thread of the cohort has executed of its work on a shared resource, the amount of this op, if so
/// much of it is left, in picoseconds: what it has been served under each clock, rounded down.
std::int64_t executed_of_work(const StepState& state, CohortIndex index, std::uint32_t op, FixedPoint left);

/// The work on the amount of this op is done, but its step is not: clocks that come change nothing of it.
void keep_done_work(StepState& state, CohortIndex index, std::uint32_t op);

/// For how long each thread has executed of such work that is done, during which the clock may have changed: rounded
/// up. Called once.
std::int64_t executed_across_changes(StepState& state, CohortIndex index, std::uint32_t op);

/// The same under any clock.
inline std::int64_t executed_of_done_work(StepState& state, CohortIndex index, std::uint32_t op) {
  return state.clocks.changes() ? executed_across_changes(state, index, op)
                                : amount_of(state, state.cohorts[index], op);
}

}  // namespace gdsim
