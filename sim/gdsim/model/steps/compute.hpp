#pragma once

#include <gdsim/model/steps/operation.hpp>

namespace gdsim {

/// Threads execute for a fixed time.
struct ComputeOperation {
  static constexpr TimeKind waiting = TimeKind::executing;
  static constexpr Executing executing = Executing::always;

  static Progress enter(StepState& state, CohortIndex index, const Op& op) {
    Cohort& cohort = state.cohorts[index];
    begin_step(state, cohort);
    schedule_step_end(state, index, op, end_of_amount(state, cohort, state.now()));
    return Progress::stays;
  }
};

}  // namespace gdsim
