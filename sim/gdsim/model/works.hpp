#pragma once

#include <gdsim/model/step_state.hpp>
#include <gdsim/record/time_use.hpp>

#include <cstdint>
#include <optional>

namespace gdsim {

// A step `issue_parts` does several works at the same time, each on its own resource: that of its op, and those of the
// `parts` ops before. Until all are done, the cohort's `step_progress` has a bit for each work that is done, and its
// `work` the time of the last one that ended.

/// Returns the op whose amount the resource serves: the current op, or one of its parts.
std::uint32_t served_op(const StepState& state, const Cohort& cohort, std::uint32_t resource);

/// Ends one of several works. If it is the last, returns the kind of the cohort's wait in its step: SLM if only L1
/// ended now, else issue slots. Otherwise, returns nullopt.
std::optional<Activity> end_work(StepState& state, Cohort& cohort, std::uint32_t resource);

/// Calls `visit(op)` for each work of the cohort's step, or for those that are done.
template <class Visit>
void visit_works(const Op& op, const Cohort& cohort, Visit&& visit) {
  for (std::uint32_t part = 0; part <= op.parts; ++part) visit(cohort.at - part);
}
template <class Visit>
void visit_done_works(const Op& op, const Cohort& cohort, Visit&& visit) {
  for (std::uint32_t part = 0; part <= op.parts; ++part)
    if ((cohort.step_progress >> part & 1) != 0) visit(cohort.at - part);
}

/// Returns the kind of wait of a cohort in the middle of several works: SLM if only L1 is not done.
Activity waiting_in_works(const StepState& state, const Cohort& cohort);

}  // namespace gdsim
