#pragma once

#include <gdsim/model/steps/between_groups.hpp>
#include <gdsim/model/steps/operation.hpp>

#include <algorithm>

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

/// Threads arrive at a split barrier and continue.
struct SignalOperation {
  static constexpr TimeKind waiting = TimeKind::executing;
  static constexpr Executing executing = Executing::always;

  static Progress enter(StepState& state, CohortIndex index, const Op& op) {
    Cohort& cohort = state.cohorts[index];
    const std::uint64_t phase = barrier_phase(state, cohort, op);
    if (op.is_of_flag)
      signal_flag(state, cohort, op, phase);
    else
      arrive_at_barrier(state, cohort, op, phase);
    ++cohort.at;
    return Progress::continues;
  }
};

/// The n-th wait of a thread ends when all threads that signal the split barrier, or all work-groups that signal the
/// flag, have signalled n times; of a barrier that says `initially`, n is counted behind the waits that pass at once.
struct WaitOperation {
  static std::uint64_t complete_for_waits(const StepState& state, const Cohort& cohort, const Op& op) {
    if (op.is_of_flag) return state.flags.complete(flag_of(state, cohort.group, op.barrier));
    return state.barriers.of(cohort.group, op.barrier).open_for_waits;
  }

  static constexpr TimeKind waiting = TimeKind::barrier;
  static constexpr Executing executing = Executing::never;

  static Progress enter(StepState& state, CohortIndex index, const Op& op) {
    Cohort& cohort = state.cohorts[index];
    const std::uint64_t number = barrier_phase(state, cohort, op);
    cohort.step_progress = number - std::min(number, op.count);
    if (cohort.step_progress <= complete_for_waits(state, cohort, op)) {
      ++cohort.at;
      return Progress::continues;
    }
    wait_at_barrier(state, index, op, cohort.step_progress);
    if (op.is_of_flag) state.flags.wait(flag_of(state, cohort.group, op.barrier), {cohort.group, op.barrier});
    return Progress::stays;
  }
};

}  // namespace gdsim
