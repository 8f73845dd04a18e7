#pragma once

#include <gdsim/model/steps/operation.hpp>

namespace gdsim {

/// The end of a loop's body: another iteration, or on behind the loop.
struct LoopEndOperation : NeverIsolated {
  static constexpr TimeKind waiting = TimeKind::executing;
  static constexpr Executing executing = Executing::always;

  static Progress enter(StepState& state, CohortIndex index, const Op& op) {
    Cohort& cohort = state.cohorts[index];
    std::uint64_t& iterations = cohort.iterations[op.depth];
    if (++iterations < op.count) {
      if (state.loop_hook && state.loop_hook->on_back_edge(index, op)) return Progress::stays;
      cohort.at = op.target;
    } else {
      iterations = 0;
      ++cohort.at;
    }
    return Progress::continues;
  }
};

}  // namespace gdsim
