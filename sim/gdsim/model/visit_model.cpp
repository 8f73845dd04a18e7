#include <gdsim/model/visit_model.hpp>

#include <gdsim/model/steps/operation_catalog.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>

namespace gdsim {
namespace {

/// Visits cohorts and their work-groups. A work-group is identified by its position in the order of launch and number.
class ResidentWalk {
 public:
  ResidentWalk(ModelState& state, StateVisitor& visitor)
      : state_(state), visitor_(visitor), order_(state.residents.in_order()), places_(state.residents.size(), 0) {
    for (std::size_t i = 0; i < order_.size(); ++i) places_[static_cast<std::size_t>(order_[i])] = i;
  }

  void groups() {
    visitor_.shape(order_.size());
    for (const GroupIndex group : order_) {
      state_.residents.visit_state(visitor_, group);
      const std::size_t barriers = state_.programs.plan_of(state_.residents[group]).barrier_count();
      for (std::uint32_t i = 0; i < barriers; ++i) barrier(group, i);
      for (auto& [on_core, since] : state_.held.of(group)) {
        core_threads(on_core);
        visitor_.instant(since);
      }
      visitor_.shape(state_.held.of(group).size());
    }
  }

  void recoveries() {
    for (auto& [at, launch, group_threads, first_context, on_core] : state_.recoveries.waiting()) {
      visitor_.instant(at);
      visitor_.shape(launch);
      visitor_.shape(group_threads);
      visitor_.shape(first_context);
      core_threads(on_core);
    }
    visitor_.shape(state_.recoveries.waiting().size());
  }

  void group(GroupIndex index) { visitor_.shape(places_[static_cast<std::size_t>(index)]); }

  /// Visits a user of a shared resource. A user of two resources is visited once.
  void user(CohortIndex index) {
    const Cohort& cohort = state_.cohorts[index];
    if (state_.programs.plan_of(state_.residents[cohort.group]).op(cohort.at).kind == OpKind::issue_l1) {
      const auto [place, is_new] = users_.try_emplace(index, users_.size());
      visitor_.shape(place->second);
      if (!is_new) return;
    }
    this->cohort(index);
  }

  void cohort(CohortIndex index) {
    auto& [of_group, on_core, at, next, since, factor, step_progress, last_load, iterations, first_thread,
           serving_parity, tiles, tile_phases] = state_.cohorts[index];
    const ResidentGroup& of = state_.residents[of_group];
    group(of_group);
    core_threads(on_core);
    visitor_.shape(at);
    visitor_.elsewhere(next, iterations);  // by barrier or load; by loops()
    visitor_.plain(first_thread);
    visitor_.plain(factor);
    visitor_.derived(serving_parity, tiles, tile_phases);  // no thread takes tiles
    visitor_.instant(since);
    const ProgramPlan& plan = state_.programs.plan_of(of);
    if (plan.op(at).kind == OpKind::issue_l1) visitor_.plain(step_progress);
    if (executing_of(plan.op(at).kind) != Executing::no_threads) loops(state_.cohorts[index], of);
    if (plan.max_outstanding() > 0) load(last_load);
  }

 private:
  /// Visits a load. It is identified by its number in the order of the visit, because cohorts may share it.
  void load(LoadHandle handle) {
    const bool is_outstanding = state_.loads.is_outstanding(handle);
    visitor_.shape(is_outstanding);
    if (!is_outstanding) return;
    const auto [place, is_new] = loads_.try_emplace(handle.slot, loads_.size());
    visitor_.shape(place->second);
    if (!is_new) return;
    auto& [older, is_answered, limit, isolated_until, waiting, generation, newer] = state_.loads[handle];
    visitor_.constant(generation);
    visitor_.shape(is_answered);
    visitor_.shape(limit);
    visitor_.instant(isolated_until);
    load(older);
    visitor_.shape(newer.size());
    for (const std::uint32_t slot : newer) load(state_.loads.in_slot(slot));
    for (CohortIndex at = waiting; at != kNoCohort; at = state_.cohorts[at].next) cohort(at);
    visitor_.shape(kNoCohort);
  }

  void barrier(GroupIndex group, std::uint32_t number) {
    BarrierState& barrier = state_.barriers.of(group, number);
    const std::uint64_t complete = barrier.complete;
    visit_state(visitor_, barrier, state_.residents[group].launch);
    for (CohortIndex at = barrier.waiting; at != kNoCohort; at = state_.cohorts[at].next) {
      // The awaited phase keeps its distance from the completed phases.
      std::uint64_t ahead = state_.cohorts[at].step_progress - complete;
      visitor_.plain(ahead);
      state_.cohorts[at].step_progress = barrier.complete + ahead;
      cohort(at);
    }
    visitor_.shape(kNoCohort);
  }

  void core_threads(CoreThreads& on_core) {
    auto& [core, threads, engines] = on_core;
    visitor_.shape(core);
    visitor_.plain(threads);
    if (engines == EngineSet::none) return;
    for (std::uint32_t& on_engine : state_.engine_sets.threads(engines)) visitor_.plain(on_engine);
  }

  /// Visits the loops around the cohort, and its distance from the completed phases of the barriers in them.
  void loops(Cohort& cohort, const ResidentGroup& group) {
    const ProgramPlan& plan = state_.programs.plan_of(group);
    if (!plan.has_loop()) return;
    std::array<std::uint64_t, kMaxLoops> counts{};
    std::optional<std::uint32_t> outermost;
    for (auto loop = plan.loops().around(cohort.at); loop; loop = plan.loops().outside(*loop)) {
      counts[plan.op(*loop).depth] = plan.op(*loop).count;
      outermost = loop;
    }
    if (outermost) phases_in(cohort, plan, *outermost);
    std::uint64_t key = std::uint64_t{places_[static_cast<std::size_t>(cohort.group)]} << 32U | cohort.first_thread;
    if (cohort.on_core.engines != EngineSet::none) {
      const auto by_engine = state_.engine_sets.threads(cohort.on_core.engines);
      const auto used = std::find_if(by_engine.begin(), by_engine.end(), [](std::uint32_t n) { return n > 0; });
      key = key * 0x9E37'79B9'7F4A'7C15U + static_cast<std::uint64_t>(used - by_engine.begin());
    }
    visitor_.iterations(group.launch, cohort.iterations, counts, key);
  }

  /// Visits the cohort's distance from the completed phases of the barriers in the loop, and its precedence.
  void phases_in(const Cohort& cohort, const ProgramPlan& plan, std::uint32_t outermost) {
    if (state_.programs.draw_of(state_.residents[cohort.group].kernel))
      for (const std::uint32_t i : plan.loops().precedence_witnesses(outermost))
        visitor_.shape(phase_number(cohort, plan.op(i)) % 2);
    for (const std::uint32_t i : plan.loops().phase_witnesses(outermost)) {
      const Op& op = plan.op(i);
      visitor_.shape(phase_number(cohort, op) - 1 - state_.barriers.of(cohort.group, op.barrier).complete);
    }
  }

  ModelState& state_;
  StateVisitor& visitor_;
  std::vector<GroupIndex> order_;
  std::vector<std::size_t> places_;                       ///< by group
  std::unordered_map<std::uint32_t, std::size_t> loads_;  ///< by slot: in the order of the visit
  std::unordered_map<CohortIndex, std::size_t> users_;    ///< of two resources: in the order of the visit
};

/// Visits pending events, by their distance from now. The event queue moves their times.
void visit_events(ModelState& state, StateVisitor& visitor, ResidentWalk& walk) {
  state.events.visit_pending([&](SimTime time, const Event& event) {
    if (event.is_of_launch()) return;
    visitor.shape(event.rank());
    if (keeps_its_time(state, event)) {
      // The event must be the same one, with the same absolute time.
      visitor.shape(time.count);
      visitor.shape(state.cohorts[event.cohort()].since.count);
      walk.group(state.cohorts[event.cohort()].group);
      return;
    }
    visitor.shape((time - state.now()).count);
    if (event.is_of_cohort()) walk.cohort(event.cohort());
    if (static_cast<Rank>(event.rank()) != Rank::barrier_opens) return;
    walk.group(event.group());
    visitor.shape(event.barrier());
    visitor.shape(event.is_for_waits());
  });
}

void visit_time_use(ModelState& state, StateVisitor& visitor) {
  std::vector<KernelId> kernels;
  for (const LaunchId launch : state.launches.present())
    if (state.launches.record(launch).first_dispatched)
      kernels.push_back(state.workload.launches[index_of(launch)].as_kernel().kernel);
  std::sort(kernels.begin(), kernels.end());
  kernels.erase(std::unique(kernels.begin(), kernels.end()), kernels.end());
  for (const KernelId kernel : kernels) state.time_use.visit_state(visitor, kernel);
}

/// Returns true if threads of a present launch take tiles. Then the next tiles depend on all tiles taken so far.
bool takes_tiles(const ModelState& state) {
  const auto& present = state.launches.present();
  return std::any_of(present.begin(), present.end(), [&](LaunchId launch) {
    return state.programs.plan_of(state.workload.launches[index_of(launch)].as_kernel().kernel).has_tiles();
  });
}

}  // namespace

bool keeps_its_time(const ModelState& state, const Event& event) {
  if (static_cast<Rank>(event.rank()) != Rank::iterations_end) return false;
  return !state.dispatching.progress().has_next(state.residents[state.cohorts[event.cohort()].group].launch);
}

bool visit_model(ModelState& state, StateVisitor& visitor) {
  if (takes_tiles(state)) return false;
  auto& [host_events, launches, arrivals, copies, bank, dispatching, held, recoveries, faults, releases, launch_facts,
         turn_is_due, turn_was_taken, copy_begins, link_copies] = static_cast<DeviceParts&>(state);
  visitor.constant(host_events, faults);  // nothing is fast-forwarded where the host has a time of its own
  visitor.constant(arrivals);             // nor over an arrival, a begin, a trigger or an end
  visitor.scratch(launch_facts, turn_is_due, turn_was_taken, copy_begins, link_copies);
  visitor.statistics(releases);
  auto& [clocks, programs, events, residents, engine_sets, cohorts, barriers, grids, tile_lists, loads, resources,
         children, rescaled_work, time_use, waits, loop_hook, facts, triggered, exchanges, continuing, last_continuing,
         entered_since] = static_cast<StepParts&>(state);
  visitor.constant(clocks, programs, tile_lists, children, rescaled_work, loop_hook);  // no clock changes meanwhile
  visitor.scratch(facts, triggered, exchanges, continuing, last_continuing, entered_since);
  visitor.statistics(waits);

  if (!dispatching.visit_state(visitor, launches.present(), state.now())) return false;
  launches.visit_state(visitor);
  copies.visit_state(visitor);
  for (Core& core : bank.cores) core.visit_state(visitor);
  ResidentWalk walk(state, visitor);
  visitor.elsewhere(residents, cohorts, barriers, loads, held, engine_sets);  // by the walk
  walk.groups();
  grids.visit_state(visitor, launches.present());
  visitor.elsewhere(recoveries);  // by the walk
  walk.recoveries();
  visitor.elsewhere(events);  // its queue moves them
  visit_events(state, visitor, walk);
  std::vector<CohortIndex> users;
  resources.visit_state(visitor, users);
  for (const CohortIndex cohort : users) walk.user(cohort);
  visitor.elsewhere(time_use);  // by kernel
  if (visitor.wants_totals()) visit_time_use(state, visitor);
  return true;
}

}  // namespace gdsim
