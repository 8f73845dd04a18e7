#pragma once

#include <gdsim/model/step_state.hpp>
#include <gdsim/record/time_use.hpp>

#include <cstdint>
#include <optional>

namespace gdsim {

// Steps that issue and access L1 do two works at the same time, each on its own resource. Until both are done, the
// `phase` of a cohort says whether one is done, which one, and how long after the beginning of the step.

/// The op of the cohort whose amount the resource serves: the current op; for the pipe in two works, the op before it.
inline std::uint32_t served_op(const StepState& state, const Cohort& cohort, std::uint32_t resource) {
  const Op& op = state.programs.plan_of(state.residents[cohort.group]).op(cohort.at);
  return op.kind == OpKind::issue_l1 && state.resources.is_slm(resource) ? cohort.at - 1 : cohort.at;
}

/// One of two works is done now. If that was the second, returns what the cohort has waited for in its step, else
/// nullopt: the work that was served last, or issue slots if both are done at the same time.
std::optional<TimeKind> end_work(StepState& state, Cohort& cohort, std::uint32_t resource);

/// Returns, for a cohort in the middle of two works, the op whose amount is done, or nullopt if neither is.
std::optional<std::uint32_t> done_work(const Cohort& cohort);

/// Returns what a cohort in the middle of two works waits for: issue slots while it lacks them.
TimeKind waiting_in_two_works(const Cohort& cohort);

}  // namespace gdsim
