#pragma once

#include <gdsim/model/steps/operation.hpp>

namespace gdsim {

/// Atomic accesses to addresses that all work-groups have in common: those of one address follow each other. Accesses
/// go evenly to all addresses, so each address has the same queue, and threads share one of them.
struct AtomicsOperation : NeverIsolated {
  static constexpr TimeKind waiting = TimeKind::memory;
  static constexpr Executing executing = Executing::by_work;

  static Progress enter(ModelState& state, CohortIndex index, const Op&) {
    Cohort& cohort = state.cohorts[index];
    begin_step(state, cohort);
    state.resources.use_atomics(state.step_begin(), index, cohort.part.threads, amount_of(state, cohort));
    return Progress::stays;
  }
};

}  // namespace gdsim
