#pragma once

#include <gdsim/model/lifecycle/cohort.hpp>

namespace gdsim {

/// May suspend cohorts at the end of a loop's body, and resume them where they would be later. A model without a hook
/// executes every iteration.
class LoopHook {
 public:
  virtual ~LoopHook() = default;

  /// The cohort is at the end of a loop's body and will begin another iteration. Returns true if the hook suspended it:
  /// Event::iterations_end() is scheduled for it.
  virtual bool on_back_edge(CohortIndex cohort, const Op& op) = 0;
  /// That event has occurred: the cohort continues.
  virtual void on_iterations_end(CohortIndex cohort) = 0;
  /// Threads of another work-group are about to take slots on the core.
  virtual void before_core_opens(CoreId core) = 0;
};

}  // namespace gdsim
