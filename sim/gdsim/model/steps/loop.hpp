#pragma once

#include <gdsim/model/steps/operation.hpp>

namespace gdsim {

/// The end of a loop's body: threads begin another iteration or leave the loop.
struct LoopEndOperation {
  static constexpr TimeKind waiting = TimeKind::executing;
  static constexpr Executing executing = Executing::always;

  static Progress enter(StepState& state, CohortIndex index, const Op& op) {
    Cohort& cohort = state.cohorts[index];
    std::uint64_t& iterations = cohort.iterations[op.depth];
    if (++iterations < op.count) {
      cohort.at = op.target;
    } else {
      iterations = 0;
      ++cohort.at;
    }
    return Progress::continues;
  }
};

}  // namespace gdsim
