#include <gdsim/model/lifecycle/end_of_work.hpp>

#include <gdsim/model/booking.hpp>
#include <gdsim/model/steps/barrier_open.hpp>
#include <gdsim/model/steps/between_groups.hpp>

namespace gdsim {
namespace {

void end_launch(ModelState& state, LaunchId id);

/// One of the work-groups and children of the launch has ended, or its copy.
void end_part_of(ModelState& state, LaunchId launch) {
  if (state.launches.count_completion(launch) && state.arrivals.have_dependencies_ended(launch))
    end_launch(state, launch);
}

void end_launch(ModelState& state, LaunchId id) {
  const Launch& launch = state.workload.launches[index_of(id)];
  state.launch_facts.push_back({LaunchFact::Kind::ends, id});
  state.launches.end(id, state.now());
  if (!launch.is_copy()) state.dispatcher.ended(id);
  const std::span<const LaunchId> opened = state.arrivals.ended(id);
  for (const LaunchId waiter : std::vector<LaunchId>(opened.begin(), opened.end())) {  // others may end meanwhile
    open_dependencies(state, waiter);
    if (state.launches.are_parts_done(waiter)) end_launch(state, waiter);
  }
  const LaunchParent* parent = launch.parent();
  if (parent == nullptr) return;
  open_child_barrier(state, id);
  end_part_of(state, parent->launch);
}

/// Frees what the part held on its core; the footprint is that of its work-group.
void free_part(ModelState& state, const Part& part, const Footprint& footprint, std::uint32_t first_context) {
  Core& core = state.bank.cores[index_of(part.core)];
  state.dispatcher.before_release(part.core, state.now());
  if (part.threads > 0) {
    core.free_threads(footprint, part.threads, part.engines, state.bank.engine_sets);
  } else {
    core.release_group(footprint, first_context);
  }
  state.dispatcher.on_release(part.core);
}

/// Frees what the part held, at once or as soon as it has recovered.
void recover(ModelState& state, const ResidentGroup& group, const Part& part) {
  state.want_turn();
  const SimTime at = state.recoveries.end(state.now());
  if (at == state.now())
    return free_part(state, part, state.dispatcher.footprint(group.launch, group.threads), group.first_context);
  if (state.recoveries.add({at, group.launch, group.threads, group.first_context, part}))
    state.events.schedule(at, Event::recovers());
}

/// Releases the contexts of threads that have ended.
void release(ModelState& state, const ResidentGroup& group, const Part& part) {
  if (state.releases++ != state.faults.lost_release) {
    state.bank.cores[index_of(part.core)].end_threads(part.threads, state.now());
    recover(state, group, part);
  }
  state.launches.change_resident(group.launch, part.core, -std::int64_t{part.threads}, state.now());
  add_fact(state.facts, FactKind::released, group, part);
}

/// Releases what the work-group held of one core besides contexts. That is reported with the fact `last` if that is
/// about this core.
void close_on_core(ModelState& state, const ResidentGroup& group, CoreId core, std::size_t last) {
  recover(state, group, {core, 0, EngineSet::none});
  std::size_t fact = last;
  if (state.facts[last].core != core) {
    fact = state.facts.size();
    add_fact(state.facts, FactKind::released, group, {core, 0, EngineSet::none});
  }
  state.facts[fact].closes_core = true;
}

/// Phases of the work-group's barriers that are complete, but would open only later, open for no thread: its threads
/// have signalled and ended. Its place may be another's by then.
void cancel_openings(ModelState& state, GroupIndex index) {
  const ProgramPlan& plan = state.programs.plan_of(state.residents[index]);
  for (std::uint32_t i = 0; i < plan.barrier_count(); ++i) {
    std::vector<SimTime>& openings = state.barriers.of(index, i).openings;
    for (const SimTime at : openings)
      if (at > state.now()) state.events.cancel(at, Event::barrier_opens(index, i));
    openings.clear();
  }
}

/// All threads have ended: what the work-group held is released, its contexts, too, if it kept them.
void end_group(ModelState& state, GroupIndex index) {
  const ResidentGroup& group = state.residents[index];
  cancel_openings(state, index);
  if (state.device.release == Release::work_group) {
    for (const HeldContexts::Held& held : state.held.of(index)) {
      book_wait(state, held.part, group.kernel, TimeKind::held, held.since);
      release(state, group, held.part);
    }
    state.held.clear(index);
  }
  const std::size_t last = state.facts.size() - 1;  // the release of its last threads
  state.facts[last].closes_group = true;
  close_on_core(state, group, group.core, last);
  for (const CoreId core : state.residents.more_cores(index)) close_on_core(state, group, core, last);
  const LaunchId launch = group.launch;
  if (trigger(state, index)) state.arrivals.triggered(launch);
  state.resources.work_group_closes(launch, group.kernel, group.core);
  state.residents.close(index);
  state.children.group_ended(launch);
  end_part_of(state, launch);
}

/// A launch of another device: nothing of this one held anything for it.
void end_elsewhere(ModelState& state, LaunchId launch) {
  state.launches.end(launch, state.now());
  state.arrivals.ended(launch);
}

}  // namespace

void end_threads(ModelState& state, CohortIndex index) {
  const Cohort& cohort = state.cohorts[index];
  book_end_of_step(state, cohort);
  const GroupIndex group_index = cohort.group;
  const Part part = cohort.part;
  state.cohorts.remove(index);
  ResidentGroup& group = state.residents[group_index];
  group.ended += part.threads;
  add_fact(state.facts, FactKind::ended, group, part);
  if (state.programs.plan_of(group).has_first_wave()) state.launches.thread_ended(group.launch, part.core);
  if (state.device.release == Release::thread) {
    release(state, group, part);
  } else {
    state.held.hold(group_index, part, state.now());
  }
  if (group.ended == group.threads) end_group(state, group_index);
}

void end_recoveries(ModelState& state, SimTime until) {
  state.recoveries.take_until(until, [&state](const Recovery& one) {
    free_part(state, one.part, state.dispatcher.footprint(one.launch, one.group_threads), one.first_context);
  });
  state.want_turn();
}

void end_copy(ModelState& state, LaunchId launch) {
  if (state.workload.launches[index_of(launch)].is_elsewhere()) return end_elsewhere(state, launch);
  if (!state.workload.launches[index_of(launch)].is_link_copy()) state.copies.ended(launch);
  end_part_of(state, launch);
  state.want_turn();
}

}  // namespace gdsim
