#pragma once

#include <gdsim/model/operation.hpp>

namespace gdsim {

/// Threads share the global memory: their bytes are served, then the last of them is answered after the latency.
struct MemoryOperation : NeverIsolated {
  static constexpr TimeKind waiting = TimeKind::memory;
  static constexpr Executing executing = Executing::by_rate;

  static Progress enter(ModelState& state, Cohort& cohort, const Op& op) {
    const CohortIndex index = begin_step(state, cohort);
    const ResidentGroup& group = state.residents[cohort.group];
    const bool is_first = phase_number(cohort, op) % 2 == group.first_turn;
    state.resources.use_memory(state.now(), cohort.part.core, {group.kernel, cohort.at, is_first}, index,
                               cohort.part.threads, amount_of(state, cohort));
    return Progress::stays;
  }
};

}  // namespace gdsim
