#pragma once

#include <gdsim/model/steps/operation.hpp>

namespace gdsim {

/// Threads share the global memory. The step ends one latency after the last of their bytes is served.
struct MemoryOperation {
  static constexpr TimeKind waiting = TimeKind::memory;
  static constexpr Executing executing = Executing::by_rate;

  static Progress enter(StepState& state, CohortIndex index, const Op& op) {
    Cohort& cohort = state.cohorts[index];
    begin_step(state, cohort);
    const ResidentGroup& group = state.residents[cohort.group];
    const MemoryUse use{state.programs.plan_number(group), cohort.at, is_served_first(cohort, op)};
    state.resources.use_memory(state.now(), cohort.on_core.core, use, index, cohort.on_core.threads,
                               amount_of(state, cohort));
    return Progress::stays;
  }
};

}  // namespace gdsim
