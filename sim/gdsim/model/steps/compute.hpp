#pragma once

#include <gdsim/model/steps/operation.hpp>

namespace gdsim {

/// Threads execute for a fixed time.
struct ComputeOperation {
  static constexpr TimeKind waiting = TimeKind::executing;
  static constexpr Executing executing = Executing::always;

  static Progress enter(StepState& state, CohortIndex index, const Op&) {
    Cohort& cohort = state.cohorts[index];
    begin_step(state, cohort);
    schedule_step_end(state, index, end_of_amount(state, cohort, state.step_begin()));
    return Progress::stays;
  }

  static constexpr bool shares_core = false;
  static std::optional<Duration> isolated_time(const StepState& state, const Cohort& cohort) {
    return Duration{amount_of(state, cohort)};
  }
};

}  // namespace gdsim
