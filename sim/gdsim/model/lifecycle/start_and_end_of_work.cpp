#include <gdsim/model/model_state.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/model/booking.hpp>
#include <gdsim/model/steps/between_groups.hpp>
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
      Cohort& part = state.cohorts[index];
      part.on_core.threads = one_by_one ? 1 : role_end - first_thread;
      part.first_thread = first_thread;
      part.op = roles[role].first_op;
      if (one_by_one && takes_tiles) part.own_number = first_thread + 1;
      if (draws_by_thread) part.factor = state.programs.factor_of_thread(group, first_thread);
      if (by_part) part.factor = state.programs.factor_of_part(group, roles[role].first_of_part);
      first_thread += part.on_core.threads;
      part.on_core.engines =
          first_thread < end ? state.cohorts.engine_sets().deal(engines, part.on_core.threads) : engines;
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
  Fact& placed = add_fact(state.facts, ThreadEvent::placed, group, cohort.on_core);
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
    BarrierState& barrier = state.barriers.state_of(index, i);
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
  state.launch_facts.push_back({LaunchFact::Event::first_dispatched, copy});
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
    // Arrivals count in the host's time, in which `ready` is now, and dispatchers prepare in the device's.
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
  begin_copies(state);
  const auto grants = state.dispatching.take_turn(state.now());
  for (const LaunchId launch : state.dispatching.begun()) {
    state.launches.record(launch).begun = state.launches.host_time(state.now());
    state.arrivals.on_begun(launch);
  }
  for (const SimTime at : state.dispatching.next_turns()) state.events.schedule(at, Event::turn_is_taken());
  for (const Grant& grant : grants) {
    if (!state.launches.record(grant.launch).first_dispatched) {
      state.launches.begin(grant.launch, state.now());
      state.launch_facts.push_back({LaunchFact::Event::first_dispatched, grant.launch});
    }
    if (state.dispatching.progress().is_fully_placed(grant.launch))
      state.launches.on_all_placed(grant.launch, state.now());
    state.launches.change_resident(grant.launch, grant.core, grant.threads, state.now());
  }
  for (const Grant& grant : grants) start_threads(state, grant);
}

namespace {

void end_launch(ModelState& state, LaunchId id);

/// Returns true if all stores of the launch are acknowledged. If none is under way, but some are not acknowledged yet,
/// schedules the event at which they are.
bool acknowledge_stores(ModelState& state, LaunchId launch) {
  if (state.stores.has_any_of(launch)) return false;
  const SimTime acknowledged = state.stores.acknowledged(launch);
  if (acknowledged <= state.now()) return true;
  state.events.schedule(acknowledged, Event::launch_ends(launch));
  return false;
}

/// Returns true if children of the launch wait for the end of its work-groups, which have all ended. (Until they are
/// submitted, work-groups are all that can have ended.)
bool are_late_children_due(const ModelState& state, LaunchId launch) {
  if (!state.children.any_late(launch)) return false;
  const Kernel& kernel = state.workload.kernel_of(state.workload.launches[index_of(launch)]);
  return state.launches.completions(launch) == kernel.range.group_count();
}

/// Submits the children that waited for the end of the launch's work-groups and stores. Then ends the launch if nothing
/// of it is left, and no launch that it depends on runs.
void end_launch_if_done(ModelState& state, LaunchId launch) {
  if (state.launches.record(launch).ended) return;
  if (are_late_children_due(state, launch) && acknowledge_stores(state, launch)) state.children.submit_late(launch);
  const bool is_done = state.launches.has_all_completions(launch) && state.arrivals.have_dependencies_ended(launch);
  if (is_done && acknowledge_stores(state, launch)) end_launch(state, launch);
}

/// Counts the end of one of the launch's work-groups or children, or of its copy.
void count_completion(ModelState& state, LaunchId launch) {
  state.launches.count_completion(launch);
  end_launch_if_done(state, launch);
}

void end_launch(ModelState& state, LaunchId id) {
  const Launch& launch = state.workload.launches[index_of(id)];
  state.launch_facts.push_back({LaunchFact::Event::ended, id});
  state.launches.end(id, state.now());
  if (launch.is_kernel()) state.dispatching.on_ended(id);
  const std::span<const LaunchId> opened = state.arrivals.on_ended(id);
  for (const LaunchId waiter : std::vector<LaunchId>(opened.begin(), opened.end())) {  // others may end meanwhile
    open_dependencies(state, waiter);
    end_launch_if_done(state, waiter);
  }
  const LaunchParent* parent = launch.parent();
  if (parent == nullptr) return;
  open_child_barrier(state, id);
  count_completion(state, parent->launch);
}

/// Frees the resources of a part of a work-group on its core. `footprint` is the work-group's.
void free_on_core(ModelState& state, const CoreThreads& on_core, const Footprint& footprint,
                  std::uint32_t first_context) {
  Core& core = state.bank.cores[index_of(on_core.core)];
  state.dispatching.before_release(on_core.core, state.now());
  if (on_core.threads > 0) {
    core.free_threads(footprint, on_core.threads, on_core.engines, state.engine_sets);
  } else {
    core.release_group(footprint, first_context);
  }
  state.dispatching.on_release(on_core.core);
}

/// Frees the resources of a part of a work-group, at once or after their recovery.
void free_after_recovery(ModelState& state, const ResidentGroup& group, const CoreThreads& on_core) {
  state.want_turn();
  const bool stores = state.programs.plan_of(group).has_stores();
  Recoveries& recoveries = stores ? state.recoveries_with_stores : state.recoveries;
  const SimTime at = recoveries.end(state.now());
  if (at == state.now())
    return free_on_core(state, on_core, state.dispatching.footprint(group.launch, group.threads), group.first_context);
  if (recoveries.add({at, group.launch, group.threads, group.first_context, on_core}))
    state.events.schedule(at, Event::recovery_ends());
}

/// Releases the contexts of threads that have ended.
void release(ModelState& state, const ResidentGroup& group, const CoreThreads& on_core) {
  if (state.releases++ != state.faults.lost_release) {
    state.bank.cores[index_of(on_core.core)].end_threads(on_core.threads, state.now());
    free_after_recovery(state, group, on_core);
  }
  state.launches.change_resident(group.launch, on_core.core, -std::int64_t{on_core.threads}, state.now());
  add_fact(state.facts, ThreadEvent::released, group, on_core);
}

/// Releases the work-group's resources on one core besides contexts. The fact `last` reports this if it is of this
/// core.
void close_on_core(ModelState& state, const ResidentGroup& group, CoreId core, std::size_t last) {
  free_after_recovery(state, group, {core, 0, EngineSet::none});
  std::size_t fact = last;
  if (state.facts[last].core != core) {
    fact = state.facts.size();
    add_fact(state.facts, ThreadEvent::released, group, {core, 0, EngineSet::none});
  }
  state.facts[fact].closes_core = true;
}

/// Cancels the pending openings of the work-group's barriers. No thread waits for them, because all threads have ended,
/// and at that time another work-group may have the slot.
void cancel_openings(ModelState& state, GroupIndex index) {
  const ProgramPlan& plan = state.programs.plan_of(state.residents[index]);
  for (std::uint32_t i = 0; i < plan.barrier_count(); ++i) {
    std::vector<SimTime>& openings = state.barriers.state_of(index, i).openings;
    for (const SimTime at : openings)
      if (at > state.now()) state.events.cancel(at, Event::barrier_opens(index, i));
    openings.clear();
  }
}

/// Ends a work-group whose threads have all ended: releases its resources, including contexts that it kept.
void end_group(ModelState& state, GroupIndex index) {
  const ResidentGroup& group = state.residents[index];
  cancel_openings(state, index);
  if (state.device.release == Release::work_group) {
    for (const HeldContexts::Held& held : state.held.held_by(index)) {
      book_wait(state, held.on_core, group.kernel, Activity::held, held.since);
      release(state, group, held.on_core);
    }
    state.held.clear(index);
  }
  const std::size_t last = state.facts.size() - 1;  // the release of its last threads
  state.facts[last].closes_group = true;
  close_on_core(state, group, group.core, last);
  for (const CoreId core : state.residents.more_cores(index)) close_on_core(state, group, core, last);
  const LaunchId launch = group.launch;
  if (trigger(state, index)) state.arrivals.on_triggered(launch);
  state.resources.on_work_group_closed(launch, group.kernel, group.core);
  state.residents.close(index);
  state.children.submit_held(index);
  count_completion(state, launch);
}

/// Ends a launch of another device, which held no resources of this device.
void end_remote(ModelState& state, LaunchId launch) {
  state.launches.end(launch, state.now());
  state.arrivals.on_ended(launch);
}

}  // namespace

void end_threads(ModelState& state, CohortIndex index) {
  const Cohort& cohort = state.cohorts[index];
  book_end_of_step(state, cohort);
  if (state.tile_log != nullptr && cohort.tiles.tile != TilePosition::kNone) log_end_of_last_tile(state, cohort);
  const GroupIndex group_index = cohort.group;
  const CoreThreads on_core = cohort.on_core;
  state.cohorts.remove(index);
  ResidentGroup& group = state.residents[group_index];
  group.ended += on_core.threads;
  add_fact(state.facts, ThreadEvent::ended, group, on_core);
  if (state.programs.plan_of(group).has_first_wave()) state.launches.on_thread_ended(group.launch, on_core.core);
  if (state.device.release == Release::thread) {
    release(state, group, on_core);
  } else {
    state.held.hold(group_index, on_core, state.now());
  }
  if (group.ended == group.threads) end_group(state, group_index);
}

void end_recoveries(ModelState& state, SimTime until) {
  for (Recoveries* recoveries : {&state.recoveries, &state.recoveries_with_stores})
    recoveries->take_until(until, [&state](const Recovery& recovery) {
      free_on_core(state, recovery.on_core, state.dispatching.footprint(recovery.launch, recovery.group_threads),
                   recovery.first_context);
    });
  state.want_turn();
}

void await_acknowledgement(ModelState& state, LaunchId launch) {
  state.stores.set_acknowledged(
      launch, state.clocks.end(state.now(), [&](std::size_t clock) { return state.acknowledgement[clock]; }));
  end_launch_if_done(state, launch);
  state.want_turn();
}

void end_by_itself(ModelState& state, LaunchId id) {
  const Launch& launch = state.workload.launches[index_of(id)];
  if (launch.is_remote()) return end_remote(state, id);
  state.want_turn();
  if (launch.is_kernel()) return end_launch_if_done(state, id);
  if (!launch.is_link_copy()) state.copies.on_ended(id);
  count_completion(state, id);
}

}  // namespace gdsim
