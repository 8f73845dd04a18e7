#pragma once

#include <gdsim/model/step_state.hpp>
#include <gdsim/model/steps/operation.hpp>

namespace gdsim {

/// Opens the complete phase of the grid barrier at `opening` in every work-group of the launch.
void open_grid_barrier(StepState& state, LaunchId launch, SimTime opening);
/// Must be called when all threads have arrived at the grid barrier of the launch, which then opens at `opening`. The
/// grid barrier of a part of a collective opens at the end of the exchange, which the owner of the links determines.
void complete_grid_barrier(StepState& state, LaunchId launch, SimTime opening);

/// Triggers for the work-group. Returns true if it is the last of its launch to trigger and other launches wait for
/// that. No effect if it has triggered before or no launch waits.
bool trigger(StepState& state, GroupIndex group);

/// Returns the flag of the work-group's launch that is this barrier of its plan.
inline FlagOfLaunch flag_of(const StepState& state, GroupIndex index, std::uint32_t barrier) {
  const ResidentGroup& group = state.residents[index];
  return {group.launch, state.flags.number_of(state.programs.plan_number(group), barrier)};
}
/// Adds the cohort's arrival at the op's flag for this phase. If that completes a phase of the flag, the threads that
/// wait for it, of all work-groups, continue at this instant.
void signal_flag(StepState& state, const Cohort& cohort, const Op& op, std::uint64_t phase);

/// Must be called when all launches for whose triggers this one waited have ended: its threads no longer wait for them.
void open_dependencies(StepState& state, LaunchId launch);

/// Threads arrive at the barrier of all work-groups of their launch, and wait until all threads have arrived.
struct GridBarrierOperation {
  static constexpr Activity waiting = Activity::barrier;
  static constexpr Executing executing = Executing::never;

  static Progress enter(StepState& state, CohortIndex index, const Op& op) {
    const Cohort& cohort = state.cohorts[index];
    const LaunchId launch = state.residents[cohort.group].launch;
    const SimTime opening = end_of_constant_cost(state, cohort);
    const std::uint64_t phase = phase_number(cohort, op);
    wait_at_barrier(state, index, op, phase);
    if (state.barriers.state_of(cohort.group, op.barrier).arrive(phase, cohort.on_core.threads) > 0 &&
        state.grids.arrive(launch))
      complete_grid_barrier(state, launch, opening);
    return Progress::stays;
  }
};

/// The first thread of a work-group that reaches this op triggers for the work-group.
struct TriggerOperation {
  static constexpr Activity waiting = Activity::executing;
  static constexpr Executing executing = Executing::always;

  static Progress enter(StepState& state, CohortIndex index, const Op&) {
    Cohort& cohort = state.cohorts[index];
    if (trigger(state, cohort.group)) state.triggered.push_back(state.residents[cohort.group].launch);
    ++cohort.op;
    return Progress::continues;
  }
};

/// Threads wait until the launches for whose triggers their own launch waited have ended.
struct WaitDependenciesOperation {
  static constexpr Activity waiting = Activity::barrier;
  static constexpr Executing executing = Executing::never;

  static Progress enter(StepState& state, CohortIndex index, const Op& op) {
    Cohort& cohort = state.cohorts[index];
    cohort.step_progress = 1;
    if (state.barriers.state_of(cohort.group, op.barrier).open > 0) {
      ++cohort.op;
      return Progress::continues;
    }
    wait_at_barrier(state, index, op, cohort.step_progress);
    return Progress::stays;
  }
};

/// Handles the end of a phase of the event's barrier: threads that waited for it continue, equal ones as one cohort.
void open_barrier(StepState& state, const Event& event);

/// Handles the end of a child: threads of its parent that wait for it continue at this instant.
void open_child_barrier(StepState& state, LaunchId child);

}  // namespace gdsim
