#include <gdsim/model/lifecycle/start_of_work.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/model/steps/step_end.hpp>

#include <algorithm>

namespace gdsim {
namespace {

/// Lets threads enter their programs: one by one if each draws a factor or takes tiles, otherwise all threads with the
/// same path at once.
void enter_in_parts(StepState& state, const Cohort& all) {
  const ResidentGroup& group = state.residents[all.group];
  const bool takes_tiles = state.programs.plan_of(group).has_tiles();
  const bool draws_by_thread = state.programs.draws_by_thread(group);
  const bool one_by_one = draws_by_thread || state.programs.plan_of(group).takes_by_thread();
  const bool by_part = state.programs.draws_by_part(group);
  const auto roles = state.programs.plan_of(group).roles();
  std::uint32_t first_thread = all.first_thread;
  EngineSet engines = all.on_core.engines;  // the engines of the threads from first_thread on
  const std::uint32_t end = first_thread + all.on_core.threads;
  for (std::size_t role = 0; role < roles.size() && first_thread < end; ++role) {
    const std::uint32_t role_end = role + 1 < roles.size() ? std::min(roles[role + 1].first_thread, end) : end;
    while (first_thread < role_end) {
      // Changed in place, because a copy of data just written stalls the processor.
      const CohortIndex index = state.cohorts.add(all);
      Cohort& some = state.cohorts[index];
      some.on_core.threads = one_by_one ? 1 : role_end - first_thread;
      some.first_thread = first_thread;
      some.at = roles[role].first_op;
      if (one_by_one && takes_tiles) some.own_number = first_thread + 1;
      if (draws_by_thread) some.factor = state.programs.factor_of_thread(group, first_thread);
      if (by_part) some.factor = state.programs.factor_of_part(group, roles[role].first_of_part);
      first_thread += some.on_core.threads;
      some.on_core.engines =
          first_thread < end ? state.cohorts.engine_sets().deal(engines, some.on_core.threads) : engines;
      execute_until_blocked(state, index);
    }
  }
}

/// Makes the grant's threads resident. Returns them as one cohort, which is not in `state.cohorts` yet.
Cohort make_resident(ModelState& state, const Grant& grant) {
  if (grant.opens_group) {
    const KernelId kernel = state.workload.launches[index_of(grant.launch)].as_kernel().kernel;
    const Footprint& footprint = state.dispatching.footprint(grant.launch, grant.group_threads);
    const GroupIndex index = state.residents.open(grant, kernel, Bytes{footprint.work_group[Pool::slm]});
    state.barriers.open_group(index);
    if (state.programs.plan_of(kernel).has_first_wave() && !state.launches.has_ended_on(grant.launch, grant.core))
      state.residents[index].wave = Wave::first;
    prepare_group(state, index);
    state.resources.on_work_group_opened(grant.launch, kernel, grant.core);
  } else if (grant.opens_core) {
    state.residents.add_core(grant);
  }
  Cohort cohort;
  cohort.group = state.residents.filling(grant.core);
  cohort.on_core = {grant.core, grant.threads, grant.engines};
  ResidentGroup& group = state.residents[cohort.group];
  GDSIM_CHECK(group.number == grant.work_group && group.launch == grant.launch,
              "a grant is for another work-group than the one that its core fills");
  cohort.first_thread = group.placed;
  cohort.factor = group.factor;
  cohort.serving_parity = group.serving_parity;
  group.placed += grant.threads;
  Fact& placed = add_fact(state.facts, FactKind::placed, group, cohort.on_core);
  placed.opens_core = grant.opens_core;
  placed.opens_group = grant.opens_group;
  placed.fills_group = grant.fills_group;
  return cohort;
}

}  // namespace

void prepare_group(ModelState& state, GroupIndex index) {
  ResidentGroup& group = state.residents[index];
  state.programs.prepare(group);
  const ProgramPlan& plan = state.programs.plan_of(group);
  for (std::uint32_t i = 0; i < plan.barrier_count(); ++i) {
    BarrierState& barrier = state.barriers.of(index, i);
    barrier = BarrierState();
    barrier.participants = plan.participants(i, group.threads);
    if (i == plan.dependencies_barrier() && state.arrivals.have_dependencies_ended(group.launch))
      barrier.complete = barrier.open = 1;
  }
}

void start_threads(ModelState& state, const Grant& grant) {
  const Cohort threads = make_resident(state, grant);
  const ResidentGroup& group = state.residents[threads.group];
  const ProgramPlan& plan = state.programs.plan_of(group);
  if (plan.roles().size() == 1 && !plan.takes_by_thread() && !state.programs.draws_by_thread(group)) {
    execute_until_blocked(state, state.cohorts.add(threads));
  } else {
    enter_in_parts(state, threads);
  }
}

namespace {

void begin_copy(ModelState& state, LaunchId copy) {
  state.launches.begin(copy, state.now());
  state.launches.record(copy).fully_dispatched = state.launches.host_time(state.now());
  state.launch_facts.push_back({LaunchFact::Kind::first_dispatched, copy});
  state.copy_begins = true;
}

}  // namespace

void arrive(ModelState& state, LaunchId launch) {
  state.launches.arrive(launch);
  state.arrivals.on_arrived(launch);
  if (state.workload.launches[index_of(launch)].is_link_copy()) {
    begin_copy(state, launch);
    state.link_copies.push_back(launch);
  } else if (!state.workload.launches[index_of(launch)].is_kernel()) {
    state.copies.arrive(launch, state.launches.host_time(state.now()));
  } else {
    const SimTime ready = state.launches.host_time(state.now());
    const Duration host_ahead = ready - state.now();
    state.dispatching.arrive(launch, ready, state.arrivals.prepared_since(launch) - host_ahead);
  }
  state.want_turn();
}

void begin_copies(ModelState& state) {
  for (const LaunchId copy : state.copies.begin()) begin_copy(state, copy);
}

void take_dispatch_turn(ModelState& state) {
  state.turn_is_due = false;
  state.turn_was_taken = true;
  begin_copies(state);
  const auto grants = state.dispatching.turn(state.now());
  for (const LaunchId launch : state.dispatching.begun()) {
    state.launches.record(launch).begun = state.launches.host_time(state.now());
    state.arrivals.on_begun(launch);
  }
  for (const SimTime at : state.dispatching.next_turns()) state.events.schedule(at, Event::turn_is_taken());
  for (const Grant& grant : grants) {
    if (!state.launches.record(grant.launch).first_dispatched) {
      state.launches.begin(grant.launch, state.now());
      state.launch_facts.push_back({LaunchFact::Kind::first_dispatched, grant.launch});
    }
    if (state.dispatching.progress().is_fully_placed(grant.launch))
      state.launches.on_all_placed(grant.launch, state.now());
    state.launches.change_resident(grant.launch, grant.core, grant.threads, state.now());
  }
  for (const Grant& grant : grants) start_threads(state, grant);
}

}  // namespace gdsim
