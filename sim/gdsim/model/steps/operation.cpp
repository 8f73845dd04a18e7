#include <gdsim/model/steps/operation.hpp>

#include <bit>

namespace gdsim {
namespace {

const ProgramPlan& plan_of(const StepState& state, const Cohort& cohort) {
  return state.programs.plan_of(state.residents[cohort.group]);
}

/// Returns the bit of the work of this op, the cohort's current one or one of its parts.
std::uint64_t bit_of(const Cohort& cohort, std::uint32_t op) { return std::uint64_t{1} << (cohort.op - op); }

/// Notes the end of a work, `elapsed` after the beginning of the step. `is_l1`: of the only work on L1.
std::int64_t ended_at(std::int64_t elapsed, bool is_l1) { return 2 * elapsed + (is_l1 ? 0 : 1); }

}  // namespace

std::uint32_t served_op(const StepState& state, const Cohort& cohort, std::uint32_t resource) {
  const ProgramPlan& plan = plan_of(state, cohort);
  if (plan.op(cohort.op).kind != OpCode::issue_parts) return cohort.op;
  const std::uint32_t pipe = state.resources.pipe_of(resource);
  std::uint32_t op = cohort.op;
  while (plan.op(op).pipe != pipe) --op;
  return op;
}

std::optional<Activity> end_work(StepState& state, Cohort& cohort, std::uint32_t resource) {
  const std::int64_t elapsed = (state.now() - cohort.since).count;
  const bool is_l1 = state.resources.pipe_of(resource) == kL1Pipe;
  const bool is_first = cohort.step_progress == 0;
  cohort.step_progress |= bit_of(cohort, served_op(state, cohort, resource));
  const std::int64_t ended = ended_at(elapsed, is_l1);
  const std::int64_t last = is_first ? ended : std::max(cohort.work, ended);
  if (static_cast<std::uint32_t>(std::popcount(cohort.step_progress)) <= op_of(state, cohort).parts) {
    cohort.work = last;
    return std::nullopt;
  }
  cohort.step_progress = 0;
  return last == ended_at(elapsed, true) ? Activity::slm : Activity::issue;
}

Activity waiting_in_works(const StepState& state, const Cohort& cohort) {
  const ProgramPlan& plan = plan_of(state, cohort);
  bool only_l1_is_left = true;
  visit_works(plan.op(cohort.op), cohort, [&](std::uint32_t op) {
    const bool is_done = (cohort.step_progress & bit_of(cohort, op)) != 0;
    only_l1_is_left = only_l1_is_left && is_done != (plan.op(op).pipe == kL1Pipe);
  });
  return only_l1_is_left ? Activity::slm : Activity::issue;
}

}  // namespace gdsim
