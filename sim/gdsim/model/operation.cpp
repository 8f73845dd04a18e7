#include <gdsim/model/operation.hpp>

#include <utility>

namespace gdsim {
namespace {

/// The threads would end next.
bool ends_after(const ProgramPlan& plan, const Cohort& cohort) {
  std::uint32_t next = cohort.at + 1;
  while (plan.op(next).kind == OpKind::loop_end && cohort.iterations[plan.op(next).depth] + 1 == plan.op(next).count)
    ++next;
  return plan.op(next).kind == OpKind::end;
}

}  // namespace

void schedule_step_end(ModelState& state, CohortIndex index, SimTime at) {
  const Cohort& cohort = state.cohorts[index];
  const bool is_last = ends_after(state.programs.plan_of(state.residents[cohort.group]), cohort);
  state.events.schedule(at, is_last ? Event::threads_end(index) : Event::step_ends(index));
}

ShareWeight weight_of(const ModelState& state, const Cohort& cohort, const Op& op) {
  if (!state.programs.draw_of(state.residents[cohort.group].kernel)) return ShareWeight::neither;
  return is_first_turn(state, cohort, op) ? ShareWeight::first : ShareWeight::last;
}

void arrive_at_barrier(ModelState& state, const Cohort& cohort, const Op& op, std::uint64_t phase) {
  const std::uint64_t phases = state.barriers.of(cohort.group, op.barrier).arrive(phase, cohort.part.threads);
  if (phases == 0) return;
  const ResidentGroup& group = state.residents[cohort.group];
  const ProgramPlan& plan = state.programs.plan_of(group);
  const Duration cost = plan.has_barrier_step(op.barrier) ? plan.barrier_cost(group.threads) : Duration{};
  const bool waits_end_before = cost.count > 0 && plan.has_wait_step(op.barrier);
  for (std::uint64_t i = 0; i < phases; ++i) {
    if (waits_end_before) state.events.schedule(state.now(), Event::barrier_opens_for_waits(cohort.group, op.barrier));
    state.events.schedule(state.now() + cost, Event::barrier_opens(cohort.group, op.barrier));
  }
}

void wait_at_barrier(ModelState& state, CohortIndex index, const Op& op, std::uint64_t phase) {
  Cohort& cohort = state.cohorts[index];
  add_fact(state.facts, FactKind::waiting, state.residents[cohort.group], cohort.part);
  begin_step(state, cohort);
  cohort.phase = phase;
  cohort.next = std::exchange(state.barriers.of(cohort.group, op.barrier).waiting, index);
}

}  // namespace gdsim
