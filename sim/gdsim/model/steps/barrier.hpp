#pragma once

#include <gdsim/model/steps/operation.hpp>

namespace gdsim {

/// Threads arrive at a barrier and wait until all threads of the work-group have arrived.
struct BarrierOperation {
  static constexpr TimeKind waiting = TimeKind::barrier;
  static constexpr Executing executing = Executing::never;

  static Progress enter(StepState& state, CohortIndex index, const Op& op) {
    const Cohort& cohort = state.cohorts[index];
    const std::uint64_t phase = barrier_phase(state, cohort, op);
    wait_at_barrier(state, index, op, phase);
    arrive_at_barrier(state, cohort, op, phase);
    return Progress::stays;
  }
};

}  // namespace gdsim
