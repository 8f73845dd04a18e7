#pragma once

#include <gdsim/model/steps/operation.hpp>

#include <utility>

namespace gdsim {

/// Threads request bytes from the memory and continue. A separate cohort, without threads of its own, represents the
/// load while the memory serves it.
struct LoadOperation {
  static constexpr TimeKind waiting = TimeKind::executing;
  static constexpr Executing executing = Executing::no_threads;

  static Progress enter(StepState& state, CohortIndex index, const Op& op) {
    Cohort load = state.cohorts[index];
    const ResidentGroup& group = state.residents[load.group];
    const MemoryUse use{state.programs.plan_number(group), load.at, is_served_first(load, op)};
    const std::int64_t bytes = amount_of(state, load);
    load.on_core.engines = EngineSet::none;
    load.iterations = {};
    load.tile_phases = kNoTilePhases;
    load.last_load = state.loads.begin(load.last_load, state.resources.isolated_end(state.now(), use, bytes));
    begin_step(state, load);
    state.resources.use_memory(state.now(), load.on_core.core, use, state.cohorts.add(load), load.on_core.threads,
                               bytes);
    Cohort& cohort = state.cohorts[index];
    cohort.last_load = load.last_load;
    ++cohort.at;
    return Progress::continues;
  }
};

/// Threads wait for all their loads except the last few. The time that they would wait without contention, too, counts
/// as execution.
struct WaitMemoryOperation {
  static constexpr TimeKind waiting = TimeKind::memory;
  static constexpr Executing executing = Executing::by_load;

  static Progress enter(StepState& state, CohortIndex index, const Op& op) {
    Cohort& cohort = state.cohorts[index];
    cohort.last_load = state.loads.if_outstanding(cohort.last_load);
    const LoadHandle load = state.loads.awaited(cohort.last_load, op.outstanding);
    if (!state.loads.is_outstanding(load)) {
      ++cohort.at;
      return Progress::continues;
    }
    begin_step(state, cohort);
    cohort.next = std::exchange(state.loads[load].waiting, index);
    return Progress::stays;
  }
};

}  // namespace gdsim
