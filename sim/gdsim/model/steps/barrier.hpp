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

  static constexpr bool shares_core = false;
  static std::optional<Duration> isolated_time(const StepState& state, const Cohort& cohort) {
    const ResidentGroup& group = state.residents[cohort.group];
    if (state.programs.plan_of(group).barrier_cost(group.threads).count > 0) return std::nullopt;
    return Duration{};
  }
};

}  // namespace gdsim
