#include <gdsim/fast_forward/slot_recycling.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/dispatch/turn/elided_turn.hpp>
#include <gdsim/model/fast_forward_port/suspension.hpp>
#include <gdsim/model/steps/operation.hpp>

#include <algorithm>
#include <utility>

namespace gdsim {
namespace {

/// The maximum number of reuses at once, and per slot if that is more. Then the run checks for a stop request.
constexpr std::uint64_t kMaxAtOnce = std::uint64_t{1} << 20U;
constexpr std::uint64_t kMaxPerSlot = 16;

}  // namespace

void SlotRecycling::on_instant_end() {
  ModelState& state = model_.state();
  if (!state.turn_was_taken) return;
  // An attempt examines all pending events.
  const std::uint64_t few = std::max({kFewTurns, state.residents.count() / 8, pending_ / 8});
  if (!backoff_.count_turn(state.launches.changes(), few)) return;
  const auto& request = state.dispatching.state().dispatchers.first().search.last();
  if (request && try_recycling(request->launch)) backoff_.succeeded();
}

/// Returns the durations of the launch's work-groups, or nullopt if they are not known when a work-group begins.
const std::optional<GroupDurations>& SlotRecycling::durations_of(LaunchId launch) {
  if (launch_ == launch) return durations_;
  const ModelState& state = model_.state();
  const KernelId kernel = state.workload.launches[index_of(launch)].as_kernel().kernel;
  const auto& draw = state.programs.draw_of(kernel);
  const ProgramPlan& plan = state.programs.plan_of(kernel);
  launch_ = launch;
  durations_.reset();
  const std::uint32_t threads = state.dispatching.progress().full_footprint(launch).threads;
  // A change of the working set would round the memory rates of other launches again.
  const bool are_known = !state.kernel_of(launch).differs_by_group() && has_known_path(plan) &&
                         !state.programs.draws_by_thread(kernel, threads) &&
                         !state.resources.counts_working_set(kernel);
  if (are_known) durations_.emplace(plan, draw, launch);
  return durations_;
}

/// Recycles slots of the launch, if possible. Returns true if that was worth its cost.
bool SlotRecycling::try_recycling(LaunchId launch) {
  const std::uint64_t undispatched = model_.state().dispatching.progress().undispatched(launch);
  if (undispatched < 4 * model_.state().residents.count() || !durations_of(launch)) return false;
  std::vector<Slot> slots = slots_of(launch);
  if (slots.empty() || !only_reuses_slots(launch, slots)) return false;
  suspend(slots);
  const std::uint64_t count = slots.size();
  SlotReuse reuse(std::move(slots), *durations_, model_.state().dispatching.progress().next_number(launch),
                  model_.now());
  const std::uint64_t max = std::max(kMaxAtOnce, kMaxPerSlot * count);
  // Afterwards, all slots may become free together, and one more work-group must be left to be refused.
  return advance(launch, reuse, std::min(max, undispatched - count - 1)) >= 2 * count;
}

/// Returns the launch's slots if its pending events are steps of whole work-groups; else none.
std::vector<Slot> SlotRecycling::slots_of(LaunchId launch) {
  const ModelState& state = model_.state();
  std::vector<Slot> slots;
  pending_ = 0;
  state.events.visit_pending([&](SimTime time, const Event& event) {
    ++pending_;
    if (!event.is_of_cohort()) return;
    const Cohort& cohort = state.cohorts[event.cohort()];
    const ResidentGroup& group = state.residents[cohort.group];
    if (group.launch == launch && cohort.on_core.threads == group.threads)
      slots.push_back(slot_of(event.cohort(), time));
  });
  std::uint64_t resident = 0;
  for (std::uint32_t i = 0; i < state.residents.size(); ++i) {
    const ResidentGroup& group = state.residents[GroupIndex{i}];
    if (group.threads > 0 && group.launch == launch) ++resident;
  }
  if (slots.size() != resident) slots.clear();
  return slots;
}

/// Returns the slot of a whole work-group whose step ends at `step_end`. The beginning and the end of the work-group
/// follow from the ops before and after the step.
Slot SlotRecycling::slot_of(CohortIndex index, SimTime step_end) const {
  const ModelState& state = model_.state();
  const Cohort& cohort = state.cohorts[index];
  const ResidentGroup& group = state.residents[cohort.group];
  const KnownPath path(*group.plan, group.amounts, cohort.factor);
  const std::uint64_t since = static_cast<std::uint64_t>(cohort.since.count) - path.time_before(cohort.at);
  const std::uint64_t end = saturating_add(static_cast<std::uint64_t>(step_end.count), path.time_behind(cohort.at));
  return {cohort.group, index, cohort.on_core.core, number_of(group.number), since, end};
}

bool SlotRecycling::only_reuses_slots(LaunchId launch, const std::vector<Slot>& slots) const {
  const ModelState& state = model_.state();
  // An injected fault counts single releases, which must then occur one by one. With engines or contiguous ranges of
  // contexts, work-groups are distinguishable.
  if (state.faults.lost_release || !state.bank.cores.front().has_interchangeable_slots()) return false;
  const std::uint32_t threads = state.residents[slots.front().group].threads;
  const bool has_first_wave = state.programs.plan_of(state.residents[slots.front().group]).has_first_wave();
  std::vector<CoreId> cores;
  for (const Slot& slot : slots) {
    if (state.residents[slot.group].threads != threads) return false;
    // Later work-groups must not belong to the first wave.
    if (has_first_wave && !state.launches.has_ended_on(launch, slot.core)) return false;
    cores.push_back(slot.core);
  }
  std::sort(cores.begin(), cores.end());
  cores.erase(std::unique(cores.begin(), cores.end()), cores.end());
  return turn_only_reuses_slots(state.dispatching.state(), launch, threads, cores);
}

/// Reuses slots until any other event is due, `max` slots have been reused, or most of them become free together.
/// Returns the number of reused slots.
std::uint64_t SlotRecycling::advance(LaunchId launch, SlotReuse& reuse, std::uint64_t max) {
  DispatchState& state = model_.state().dispatching.state();
  const auto remember = [&state, &reuse, remembers = placement_remembers(state)](std::uint32_t slot) {
    if (remembers) choose_only(state, reuse.slot(slot).core);
  };
  // A separate case, because it is faster if single slots are not reported.
  if (!report_.is_wanted())
    return advance(launch, reuse, max, [&](std::uint32_t slot, std::uint64_t, std::uint64_t) { remember(slot); });
  report_.begin(launch, model_.state().residents[reuse.slot(0).group].threads, reuse.next());
  const std::uint64_t count =
      advance(launch, reuse, max, [&](std::uint32_t slot, std::uint64_t time, std::uint64_t ended) {
        remember(slot);
        report_.add(reuse.slot(slot).core, time, ended);
      });
  report_.flush();
  return count;
}

template <class Note>
std::uint64_t SlotRecycling::advance(LaunchId launch, SlotReuse& reuse, std::uint64_t max, const Note& note) {
  ModelState& state = model_.state();
  const SimTime next = model_.next_time().value_or(bound_);
  const auto bound = static_cast<std::uint64_t>(std::min(next, bound_).count);
  std::uint64_t dispatched = 0;
  std::uint64_t together = 0;
  const auto dispatch = [&] {
    if (reuse.count() > dispatched)
      book_reuses(state.dispatching.state(), launch, reuse.count() - dispatched, reuse.last_core());
  };
  while (!reuse.advance(bound, max, note)) {
    dispatch();
    place_together(launch, reuse);
    dispatched = reuse.count();
    together += reuse.together().size();
    if (2 * together > dispatched + reuse.slots()) break;
  }
  dispatch();
  const std::uint64_t count = reuse.count();
  if (count > 0) state.events.fast_forward(reuse.now() - state.now(), [](const Event&) { return false; });
  resume(reuse.take_slots());
  state.launches.add_completions(launch, count);
  if (count > 0) sink_.count_reuses(count);
  return count;
}

/// Lets the dispatcher place the next work-groups, because work-groups on several cores have ended at one instant.
void SlotRecycling::place_together(LaunchId launch, SlotReuse& reuse) {
  ModelState& state = model_.state();
  const SimTime now = reuse.now();
  for (const std::uint32_t index : reuse.together()) {
    const Slot& slot = reuse.slot(index);
    const Footprint& footprint = state.dispatching.footprint(launch, state.residents[slot.group].threads);
    Core& core = state.bank.cores[index_of(slot.core)];
    state.dispatching.before_release(slot.core, now);
    core.release_threads(footprint, footprint.threads, now, EngineSet::none, state.engine_sets);
    core.release_group(footprint, 0);
    state.dispatching.on_release(slot.core);
  }
  for (const Grant& grant : state.dispatching.turn(now)) {
    GDSIM_CHECK(grant.launch == launch, "another launch was placed where one waits alone");
    reuse.assign(grant.core, [&](std::uint32_t, std::uint64_t time, std::uint64_t ended) {
      if (report_.is_wanted()) report_.add(grant.core, time, ended);
    });
  }
  GDSIM_CHECK(reuse.assigned() == reuse.together().size(), "a slot that came free was not reused");
}

/// Removes the events of the work-groups in the slots.
void SlotRecycling::suspend(const std::vector<Slot>& slots) {
  std::vector<CohortIndex> cohorts;
  for (const Slot& slot : slots) cohorts.push_back(slot.cohort);
  gdsim::suspend(model_.state(), cohorts);
}

/// Resumes the work-groups that are in the slots now, from their current state.
void SlotRecycling::resume(const std::vector<Slot>& slots) {
  for (const Slot& slot : slots)
    resume_as(model_.state(), slot.cohort, WorkGroupId{slot.number}, SimTime{static_cast<std::int64_t>(slot.since)});
}

}  // namespace gdsim
