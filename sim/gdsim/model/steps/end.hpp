#pragma once

#include <gdsim/model/steps/operation.hpp>

namespace gdsim {

/// The end of the program: threads end at this instant.
struct EndOperation {
  static constexpr TimeKind waiting = TimeKind::executing;
  static constexpr Executing executing = Executing::always;

  static Progress enter(StepState& state, CohortIndex index, const Op&) {
    begin_step(state, state.cohorts[index]);
    state.events.schedule_now(Event::threads_end(index));
    return Progress::stays;
  }
};

}  // namespace gdsim
