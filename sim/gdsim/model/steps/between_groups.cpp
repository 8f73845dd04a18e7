#include <gdsim/model/steps/between_groups.hpp>

#include <gdsim/model/booking.hpp>
#include <gdsim/model/steps/operation.hpp>
#include <gdsim/model/steps/step_end.hpp>

#include <algorithm>

namespace gdsim {
namespace {

/// Calls `use(group)` for every resident work-group of the launch.
template <class Use>
void for_each_group_of(const StepState& state, LaunchId launch, Use use) {
  for (std::size_t i = 0; i < state.residents.size(); ++i) {
    const auto group = static_cast<GroupIndex>(i);
    if (state.residents[group].threads > 0 && state.residents[group].launch == launch) use(group);
  }
}

}  // namespace

void open_grid_barrier(StepState& state, LaunchId launch, SimTime opening) {
  for_each_group_of(state, launch, [&](GroupIndex group) {
    const auto barrier = state.programs.plan_of(state.residents[group]).grid_barrier();
    state.events.schedule(opening, Event::barrier_opens(group, *barrier));
  });
}

void complete_grid_barrier(StepState& state, LaunchId launch, SimTime opening) {
  if (state.workload.launches[index_of(launch)].as_kernel().is_part_of_collective) {
    state.exchanges.push_back(launch);
  } else {
    open_grid_barrier(state, launch, opening);
  }
}

void signal_flag(StepState& state, const Cohort& cohort, const Op& op, std::uint64_t phase) {
  BarrierState& barrier = state.barriers.state_of(cohort.group, op.barrier);
  const std::uint64_t before = barrier.complete;
  const std::uint64_t phases = barrier.arrive(phase, cohort.on_core.threads);
  if (phases == 0) return;
  for (const FlagWait& wait : state.flags.arrive(flag_of(state, cohort.group, op.barrier), before, phases))
    state.events.schedule(state.now(), Event::barrier_opens_for_waits(wait.group, wait.barrier));
}

bool trigger(StepState& state, GroupIndex index) {
  ResidentGroup& group = state.residents[index];
  if (group.has_triggered || !state.grids.is_awaited(group.launch)) return false;
  group.has_triggered = true;
  return state.grids.trigger(group.launch);
}

void open_dependencies(StepState& state, LaunchId launch) {
  for_each_group_of(state, launch, [&](GroupIndex group) {
    const auto number = state.programs.plan_of(state.residents[group]).dependencies_barrier();
    if (!number) return;
    BarrierState& barrier = state.barriers.state_of(group, *number);
    ++barrier.complete;
    // A work-group without waiting threads may end at this instant, before an event would be handled.
    if (barrier.waiting == kNoCohort) {
      ++barrier.open;
    } else {
      state.events.schedule(state.now(), Event::barrier_opens(group, *number));
    }
  });
}

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
  const Activity waited = plan.is_of_child(event.barrier()) ? Activity::child : Activity::barrier;
  const bool may_be_alike = !state.programs.draws_by_thread(group);  // otherwise only by chance
  state.continuing.clear();
  CohortIndex left = kNoCohort;
  for (CohortIndex waiting = barrier.waiting; waiting != kNoCohort;) {
    Cohort& cohort = state.cohorts[waiting];
    const CohortIndex next = cohort.next;
    const bool is_wait = plan.op(cohort.op).kind == OpCode::wait;
    if (cohort.step_progress > (is_wait ? barrier.open_for_waits : barrier.open)) {
      cohort.next = left;
      left = waiting;
    } else {
      book_wait(state, cohort.on_core, group.kernel, waited, cohort.since);
      cohort.last_load = state.loads.if_outstanding(cohort.last_load);
      if (may_be_alike) {
        state.cohorts.merge_or_append(state.continuing, waiting);
      } else {
        state.continuing.push_back(waiting);
      }
    }
    waiting = next;
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
    if (costs_time) state.barriers.state_of(index, barrier).openings.push_back(opening);
  }
}

void open_barrier(StepState& state, const Event& event) {
  const ResidentGroup& group = state.residents[event.group()];
  // All phases of a flag up to now open with the first event of an instant: behind another, the work-group may be gone.
  if (group.threads == 0) return;
  BarrierState& barrier = state.barriers.state_of(event.group(), event.barrier());
  if (state.programs.plan_of(group).is_flag(event.barrier())) {
    open_flag(state, group, event, barrier);
  } else {
    count_opening(barrier, event);
    take_continuing(state, group, event, barrier);
  }
  // Continuing may reach this barrier again, but it opens only at a later event.
  for (const CohortIndex index_of_cohort : state.continuing) {
    Cohort& cohort = state.cohorts[index_of_cohort];
    add_fact(state.facts, ThreadEvent::resumed, group, cohort.on_core);
    ++cohort.op;
    execute_until_blocked(state, index_of_cohort);
  }
}

void open_child_barrier(StepState& state, LaunchId child) {
  const auto parent = state.children.waiting_parent(child);
  if (!parent) return;
  const ProgramPlan& plan = state.programs.plan_of(state.residents[*parent]);
  const std::uint32_t barrier = plan.barrier_of_child(state.workload.launches[index_of(child)].parent()->child);
  ++state.barriers.state_of(*parent, barrier).complete;
  state.events.schedule(state.now(), Event::barrier_opens(*parent, barrier));
}

}  // namespace gdsim
