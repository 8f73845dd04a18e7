#include <gdsim/model/lifecycle/end_of_work.hpp>

#include <gdsim/model/booking.hpp>
#include <gdsim/model/steps/between_groups.hpp>

namespace gdsim {
namespace {

void end_launch(ModelState& state, LaunchId id);

/// Ends the launch if its work-groups, children and stores, or its copy, and the launches that it depends on have
/// ended.
void end_launch_if_done(ModelState& state, LaunchId launch) {
  if (state.launches.has_all_completions(launch) && !state.stores.any_of(launch) &&
      state.arrivals.have_dependencies_ended(launch))
    end_launch(state, launch);
}

/// Counts the end of one of the launch's work-groups or children, or of its copy.
void complete_one_of(ModelState& state, LaunchId launch) {
  state.launches.count_completion(launch);
  end_launch_if_done(state, launch);
}

void end_launch(ModelState& state, LaunchId id) {
  const Launch& launch = state.workload.launches[index_of(id)];
  state.launch_facts.push_back({LaunchFact::Kind::ended, id});
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
  complete_one_of(state, parent->launch);
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
void recover(ModelState& state, const ResidentGroup& group, const CoreThreads& on_core) {
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
    recover(state, group, on_core);
  }
  state.launches.change_resident(group.launch, on_core.core, -std::int64_t{on_core.threads}, state.now());
  add_fact(state.facts, FactKind::released, group, on_core);
}

/// Releases the work-group's resources on one core besides contexts. The fact `last` reports this if it is of this
/// core.
void close_on_core(ModelState& state, const ResidentGroup& group, CoreId core, std::size_t last) {
  recover(state, group, {core, 0, EngineSet::none});
  std::size_t fact = last;
  if (state.facts[last].core != core) {
    fact = state.facts.size();
    add_fact(state.facts, FactKind::released, group, {core, 0, EngineSet::none});
  }
  state.facts[fact].closes_core = true;
}

/// Cancels the pending openings of the work-group's barriers. No thread waits for them, because all threads have ended,
/// and at that time another work-group may have the slot.
void cancel_openings(ModelState& state, GroupIndex index) {
  const ProgramPlan& plan = state.programs.plan_of(state.residents[index]);
  for (std::uint32_t i = 0; i < plan.barrier_count(); ++i) {
    std::vector<SimTime>& openings = state.barriers.of(index, i).openings;
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
    for (const HeldContexts::Held& held : state.held.of(index)) {
      book_wait(state, held.on_core, group.kernel, TimeKind::held, held.since);
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
  state.children.on_group_ended(launch);
  complete_one_of(state, launch);
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
  const GroupIndex group_index = cohort.group;
  const CoreThreads on_core = cohort.on_core;
  state.cohorts.remove(index);
  ResidentGroup& group = state.residents[group_index];
  group.ended += on_core.threads;
  add_fact(state.facts, FactKind::ended, group, on_core);
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

void end_drained(ModelState& state, LaunchId launch) {
  end_launch_if_done(state, launch);
  state.want_turn();
}

void end_copy(ModelState& state, LaunchId launch) {
  if (state.workload.launches[index_of(launch)].is_remote()) return end_remote(state, launch);
  if (!state.workload.launches[index_of(launch)].is_link_copy()) state.copies.on_ended(launch);
  complete_one_of(state, launch);
  state.want_turn();
}

}  // namespace gdsim
