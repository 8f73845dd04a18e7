#pragma once

#include <gdsim/model/steps/operation.hpp>

// Rule, to the picosecond: atomic accesses.
//
// An `atomic` step in SLM keeps its core's banks busy for each access of the thread as long as an access to
// neighbouring words of 4 bytes does, or, if that is longer, as long as the address to which most of its work-items go
// needs for them, at the device's rate, times `accesses_per_cycle`: so one address is served at its rate, whatever else
// is served. It counts as an `slm` step. An `atomic` step in global memory is two steps. The first is a `memory` step,
// 4 bytes for each address that an access of the thread touches. In the second, all threads of the device that are in
// such a step share the time of an address equally, one at a time: a thread needs as much of it as one address needs
// for its part of the thread's accesses, or as long as all of its accesses need at `global_total`, the rate of all
// addresses together, if that is given and longer; at least a picosecond. Both steps vary with the factor. A number of
// cycles that is not whole is rounded up to a millionth.

namespace gdsim {

/// Atomic accesses to addresses that all work-groups share. Accesses to one address are serialized. They are spread
/// evenly over the addresses, so all addresses have equal queues, and a single one is simulated.
struct AtomicsOperation {
  static constexpr TimeKind waiting = TimeKind::memory;
  static constexpr Executing executing = Executing::by_work;

  static Progress enter(StepState& state, CohortIndex index, const Op&) {
    Cohort& cohort = state.cohorts[index];
    state.resources.use_atomics(state.now(), index, cohort.on_core.threads, begin_work(state, cohort));
    return Progress::stays;
  }
};

}  // namespace gdsim
