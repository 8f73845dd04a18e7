#pragma once

#include <gdsim/model/operation.hpp>

namespace gdsim {

/// Threads share the global memory.
struct MemoryOperation : NeverIsolated {
  static constexpr TimeKind waiting = TimeKind::memory;
  static constexpr Executing executing = Executing::by_rate;

  static Progress enter(ModelState& state, Cohort& cohort, const Op&) {
    const CohortIndex index = begin_step(state, cohort);
    state.resources.use_memory(state.now(), cohort.part.core, state.residents[cohort.group].kernel, cohort.at, index,
                               cohort.part.threads, amount_of(state, cohort));
    return Progress::stays;
  }
};

}  // namespace gdsim
