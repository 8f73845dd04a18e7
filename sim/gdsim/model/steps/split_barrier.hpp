#pragma once

#include <gdsim/model/steps/operation.hpp>

namespace gdsim {

/// Threads arrive at a split barrier and continue.
struct SignalOperation {
  static constexpr TimeKind waiting = TimeKind::executing;
  static constexpr Executing executing = Executing::always;

  static Progress enter(StepState& state, CohortIndex index, const Op& op) {
    Cohort& cohort = state.cohorts[index];
    arrive_at_barrier(state, cohort, op, barrier_phase(state, cohort, op));
    ++cohort.at;
    return Progress::continues;
  }
};

/// The n-th wait of a thread ends when all threads that signal the split barrier have signalled n times.
struct WaitOperation {
  static constexpr TimeKind waiting = TimeKind::barrier;
  static constexpr Executing executing = Executing::never;

  static Progress enter(StepState& state, CohortIndex index, const Op& op) {
    Cohort& cohort = state.cohorts[index];
    cohort.step_progress = barrier_phase(state, cohort, op);
    if (cohort.step_progress <= state.barriers.of(cohort.group, op.barrier).open_for_waits) {
      ++cohort.at;
      return Progress::continues;
    }
    wait_at_barrier(state, index, op, cohort.step_progress);
    return Progress::stays;
  }
};

}  // namespace gdsim
