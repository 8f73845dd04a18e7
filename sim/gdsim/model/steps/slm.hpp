#pragma once

#include <gdsim/model/steps/operation.hpp>

namespace gdsim {

/// Threads share the banks of their core's SLM.
struct SlmOperation {
  static constexpr TimeKind waiting = TimeKind::slm;
  static constexpr Executing executing = Executing::by_work;

  static Progress enter(StepState& state, CohortIndex index, const Op& op) {
    Cohort& cohort = state.cohorts[index];
    state.resources.use_slm(state.now(), cohort.on_core.core, index, cohort.on_core.threads, begin_work(state, cohort),
                            weight_of(state, cohort, op));
    return Progress::stays;
  }
};

}  // namespace gdsim
