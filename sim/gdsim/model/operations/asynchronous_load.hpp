#pragma once

#include <gdsim/model/operation.hpp>

namespace gdsim {

/// Threads request bytes from the memory and continue. A cohort of its own stands for the load while the memory serves
/// it: no thread spends time on it.
struct LoadOperation : NeverIsolated {
  static constexpr TimeKind waiting = TimeKind::executing;
  static constexpr Executing executing = Executing::never;

  static Progress enter(ModelState& state, Cohort& cohort, const Op& op) {
    const ResidentGroup& group = state.residents[cohort.group];
    const MemoryUse use{group.kernel, cohort.at, is_first_turn(state, cohort, op)};
    const std::int64_t bytes = amount_of(state, cohort);
    Cohort load = cohort;
    load.part.engines = EngineSet::none;
    load.iterations = {};
    load.last_load = state.loads.begin(cohort.last_load, state.now() + state.resources.isolated_time(use, bytes));
    state.resources.use_memory(state.now(), cohort.part.core, use, begin_step(state, load), cohort.part.threads, bytes);
    cohort.last_load = load.last_load;
    ++cohort.at;
    return Progress::continues;
  }
};

/// Threads wait for all their loads but the last ones. What would take as long with the memory for themselves, they
/// execute.
struct WaitMemoryOperation : NeverIsolated {
  static constexpr TimeKind waiting = TimeKind::memory;
  static constexpr Executing executing = Executing::never;

  static Progress enter(ModelState& state, Cohort& cohort, const Op& op) {
    cohort.last_load = state.loads.if_outstanding(cohort.last_load);
    const LoadHandle load = state.loads.awaited(cohort.last_load, op.outstanding);
    if (!state.loads.is_outstanding(load)) {
      ++cohort.at;
      return Progress::continues;
    }
    cohort.next = state.loads[load].waiting;
    state.loads[load].waiting = begin_step(state, cohort);
    return Progress::stays;
  }
};

}  // namespace gdsim
