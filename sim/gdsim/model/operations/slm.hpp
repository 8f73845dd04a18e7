#pragma once

#include <gdsim/model/operation.hpp>

namespace gdsim {

/// Threads share the banks of their core's SLM.
struct SlmOperation {
  static constexpr TimeKind waiting = TimeKind::slm;
  static constexpr Executing executing = Executing::by_work;

  static Progress enter(ModelState& state, Cohort& cohort, const Op&) {
    const CohortIndex index = begin_step(state, cohort);
    state.resources.use_slm(state.now(), cohort.part.core, index, cohort.part.threads, amount_of(state, cohort));
    return Progress::stays;
  }
};

}  // namespace gdsim
