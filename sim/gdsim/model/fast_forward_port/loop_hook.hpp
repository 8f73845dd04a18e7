#pragma once

#include <gdsim/model/lifecycle/cohort.hpp>

namespace gdsim {

/// May suspend cohorts at the end of a loop's body and resume them at their later positions. A model without a hook
/// executes every iteration.
class LoopHook {
 public:
  virtual ~LoopHook() = default;

  /// Is called when the cohort is at the end of a loop's body and will begin another iteration. Returns true if the
  /// hook has suspended it and scheduled its Event::iterations_end().
  virtual bool on_back_edge(CohortIndex cohort, const Op& op) = 0;
  /// Is called at this event. The cohort must continue.
  virtual void on_iterations_end(CohortIndex cohort) = 0;
  /// Is called before threads of another work-group take slots on the core.
  virtual void before_core_opens(CoreId core) = 0;
};

}  // namespace gdsim
