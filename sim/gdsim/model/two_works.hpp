#pragma once

#include <gdsim/model/step_state.hpp>
#include <gdsim/record/time_use.hpp>

#include <cstdint>
#include <optional>

namespace gdsim {

// Steps that issue and access L1 do two works at the same time, each on its own resource. Until both are done, the
// `step_progress` of a cohort encodes whether one is done, which one, and the time since the beginning of the step.

/// Returns the op whose amount the resource serves: the current op, or for the pipe in two works the op before it.
inline std::uint32_t served_op(const StepState& state, const Cohort& cohort, std::uint32_t resource) {
  const Op& op = state.programs.plan_of(state.residents[cohort.group]).op(cohort.at);
  return op.kind == OpKind::issue_l1 && state.resources.is_slm(resource) ? cohort.at - 1 : cohort.at;
}

/// Ends one of two works. If it is the second, returns the kind of the cohort's wait in its step, that of the work
/// served last, or issue slots if both end at the same time. Otherwise, returns nullopt.
std::optional<TimeKind> end_work(StepState& state, Cohort& cohort, std::uint32_t resource);

/// Returns the op whose amount is done, for a cohort in the middle of two works, or nullopt if neither is done.
std::optional<std::uint32_t> done_work(const Cohort& cohort);

/// Returns the kind of wait of a cohort in the middle of two works: for issue slots until that work is done.
TimeKind waiting_in_two_works(const Cohort& cohort);

}  // namespace gdsim
