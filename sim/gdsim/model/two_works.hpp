#pragma once

#include <gdsim/model/step_state.hpp>
#include <gdsim/record/time_use.hpp>

#include <cstdint>
#include <optional>

namespace gdsim {

// Steps that issue and access L1 do two works at the same time, each on a resource of its own. While they do, the
// `phase` of a cohort says whether one of them is done, which one, and how long after the beginning of the step.

/// The op of the cohort whose amount the resource serves: the one that it executes, or of two works, that of the pipe.
inline std::uint32_t served_op(const StepState& state, const Cohort& cohort, std::uint32_t resource) {
  const Op& op = state.programs.plan_of(state.residents[cohort.group]).op(cohort.at);
  return op.kind == OpKind::issue_l1 && state.resources.is_slm(resource) ? cohort.at - 1 : cohort.at;
}

/// One of two works is done now. What the cohort has waited for in its step, if that was the second: the one that was
/// served last, and issue slots if both are done at the same time.
std::optional<TimeKind> end_work(StepState& state, Cohort& cohort, std::uint32_t resource);

/// Of a cohort in the middle of two works: the op whose amount is the one that is done; nothing: neither is.
std::optional<std::uint32_t> done_work(const Cohort& cohort);

/// What the cohort waits for, which is in the middle of two works: issue slots as long as it lacks them.
TimeKind waiting_in_two_works(const Cohort& cohort);

}  // namespace gdsim
