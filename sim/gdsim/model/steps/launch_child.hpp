#pragma once

#include <gdsim/model/steps/operation.hpp>
#include <gdsim/workload/child_launches.hpp>

namespace gdsim {

/// The first threads of a work-group that reach this op launch a child. The end of the child opens a barrier without
/// arrivals, at which threads wait.
struct LaunchChildOperation {
  static constexpr TimeKind waiting = TimeKind::child;
  static constexpr Executing executing = Executing::never;

  static Progress enter(StepState& state, CohortIndex index, const Op& op) {
    Cohort& cohort = state.cohorts[index];
    const BarrierState& end = state.barriers.of(cohort.group, op.barrier);
    const ResidentGroup& group = state.residents[cohort.group];
    const LaunchId child = child_of(state.workload, group.launch, group.number, op.child);
    if (!state.children.is_launched(child)) state.children.launch(child, cohort.group);
    cohort.step_progress = 1;
    if (!op.awaits_child || end.open > 0) {
      ++cohort.at;
      return Progress::continues;
    }
    wait_at_barrier(state, index, op, cohort.step_progress);
    return Progress::stays;
  }
};

}  // namespace gdsim
