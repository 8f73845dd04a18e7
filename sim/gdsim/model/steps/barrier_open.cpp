#include <gdsim/model/steps/barrier_open.hpp>

#include <gdsim/model/booking.hpp>
#include <gdsim/model/execute_until_blocked.hpp>
#include <gdsim/model/steps/between_groups.hpp>
#include <gdsim/model/steps/operation.hpp>

#include <algorithm>

namespace gdsim {

namespace {

void count_opening(BarrierState& barrier, const Event& event) {
  if (event.is_for_waits()) {
    ++barrier.open_for_waits;
    return;
  }
  barrier.open_for_waits = std::max(barrier.open_for_waits, ++barrier.open);
  if (!barrier.openings.empty()) barrier.openings.erase(barrier.openings.begin());
}

/// Moves those for which the barrier is open from its list to `state.continuing`.
void take_continuing(StepState& state, const ResidentGroup& group, const Event& event, BarrierState& barrier) {
  const ProgramPlan& plan = state.programs.plan_of(group);
  const TimeKind waited = plan.is_of_child(event.barrier()) ? TimeKind::child : TimeKind::barrier;
  const bool may_be_alike = !state.programs.draws_by_thread(group);  // otherwise only by chance
  state.continuing.clear();
  CohortIndex left = kNoCohort;
  for (CohortIndex at = barrier.waiting; at != kNoCohort;) {
    Cohort& cohort = state.cohorts[at];
    const CohortIndex next = cohort.next;
    const bool is_wait = plan.op(cohort.at).kind == OpKind::wait;
    if (cohort.step_progress > (is_wait ? barrier.open_for_waits : barrier.open)) {
      cohort.next = left;
      left = at;
    } else {
      book_wait(state, cohort.on_core, group.kernel, waited, cohort.since);
      cohort.last_load = state.loads.if_outstanding(cohort.last_load);
      if (may_be_alike) {
        state.cohorts.merge_or_append(state.continuing, at);
      } else {
        state.continuing.push_back(at);
      }
    }
    at = next;
  }
  barrier.waiting = left;
}

/// Handles the end of a phase of a flag for which threads of the work-group waited.
void open_flag(StepState& state, const ResidentGroup& group, const Event& event, BarrierState& barrier) {
  const FlagOfLaunch flag = flag_of(state, event.group(), event.barrier());
  barrier.open_for_waits = state.flags.complete(flag);
  take_continuing(state, group, event, barrier);
  if (barrier.waiting != kNoCohort) state.flags.wait(flag, {event.group(), event.barrier()});
}

}  // namespace

void open_phases(StepState& state, GroupIndex index, std::uint32_t barrier, std::uint64_t phases) {
  const ResidentGroup& group = state.residents[index];
  const ProgramPlan& plan = state.programs.plan_of(group);
  SimTime opening = state.now();
  if (plan.has_barrier_step(barrier))
    opening = state.clocks.end(opening, [&](std::size_t clock) { return plan.barrier_cost(group.threads, clock); });
  const bool costs_time = opening > state.now();
  const bool waits_end_before = costs_time && plan.has_wait_step(barrier);
  for (std::uint64_t i = 0; i < phases; ++i) {
    if (waits_end_before) state.events.schedule(state.now(), Event::barrier_opens_for_waits(index, barrier));
    state.events.schedule(opening, Event::barrier_opens(index, barrier));
    if (costs_time) state.barriers.of(index, barrier).openings.push_back(opening);
  }
}

void open_barrier(StepState& state, const Event& event) {
  const ResidentGroup& group = state.residents[event.group()];
  // All phases of a flag up to now open with the first event of an instant: behind another, the work-group may be gone.
  if (group.threads == 0) return;
  BarrierState& barrier = state.barriers.of(event.group(), event.barrier());
  if (state.programs.plan_of(group).is_flag(event.barrier())) {
    open_flag(state, group, event, barrier);
  } else {
    count_opening(barrier, event);
    take_continuing(state, group, event, barrier);
  }
  // Continuing may reach this barrier again, but it opens only at a later event.
  for (const CohortIndex index_of_cohort : state.continuing) {
    Cohort& cohort = state.cohorts[index_of_cohort];
    add_fact(state.facts, FactKind::resumed, group, cohort.on_core);
    ++cohort.at;
    execute_until_blocked(state, index_of_cohort);
  }
}

void open_child_barrier(StepState& state, LaunchId child) {
  const auto parent = state.children.waiting_parent(child);
  if (!parent) return;
  const ProgramPlan& plan = state.programs.plan_of(state.residents[*parent]);
  const std::uint32_t barrier = plan.barrier_of_child(state.workload.launches[index_of(child)].parent()->child);
  ++state.barriers.of(*parent, barrier).complete;
  state.events.schedule(state.now(), Event::barrier_opens(*parent, barrier));
}

}  // namespace gdsim
