#include <gdsim/run/execution.hpp>

// What an execution goes on from, told so that it can recur, and how it passes over periods that are alike.

namespace gdsim {

bool Execution::can_repeat(KernelId id) const {
  const Kernel& kernel = workload_.kernels[index_of(id)];
  if (kernel.variation.draw || kernel.edge_groups != EdgeGroups::refused) return false;
  const ProgramPlan& plan = plans_[index_of(id)];
  for (std::uint32_t i = 0; i < plan.size(); ++i)
    if (plan.op(i).kind == OpKind::launch) return false;
  return true;
}

bool Execution::tell_state(const GroupCounts& dispatched, StateWords& state) {
  state.add(active_);
  for (const GroupIndex index : active_groups()) {
    if (plan_of(groups_[index]).is_declared(groups_[index].number)) return false;
    tell_group(index, dispatched, state);
  }
  bool is_told = true;
  queue_.visit_pending(
      [&](Picoseconds time, const Event& event) { is_told = is_told && tell_event(time, event, dispatched, state); });
  std::vector<CohortIndex> users;
  contention_.tell_state(queue_.now(), state, users);
  for (const CohortIndex cohort : users) tell_cohort(cohorts_[cohort], dispatched, state);
  return is_told;
}

std::uint64_t Execution::first_declared(LaunchId launch, std::uint64_t from) const {
  const auto& factors = workload_.kernel_of(workload_.launches[index_of(launch)]).variation.factors;
  const auto first = std::lower_bound(
      factors.begin(), factors.end(), from,
      [](const WorkGroupFactor& one, std::uint64_t number) { return number_of(one.work_group) < number; });
  return first == factors.end() ? kNoGroup : number_of(first->work_group);
}

/// By its distance from the next to be dispatched.
void Execution::tell_number(const ActiveGroup& group, const GroupCounts& dispatched, StateWords& state) {
  state.add(group.launch);
  state.add(count_of(dispatched, group.launch) - number_of(group.number));
}

void Execution::tell_group(GroupIndex index, const GroupCounts& dispatched, StateWords& state) {
  const ActiveGroup& group = groups_[index];
  tell_number(group, dispatched, state);
  state.add(group.core);
  state.add(group.placed);
  state.add(group.ended);
  state.add(more_cores(index).size());
  for (const CoreId core : more_cores(index)) state.add(core);
  for (std::uint32_t i = 0; i < plan_of(group).meetings(); ++i) {
    const Meeting& meeting = meetings_.of(index, i);
    state.add(meeting.participants);
    state.add(meeting.arrived.size());
    for (const Meeting::Arrivals& run : meeting.arrived) {
      state.add(run.phases);
      state.add(run.threads);
    }
    state.add(meeting.complete);
    state.add(meeting.open);
    for (CohortIndex at = meeting.waiting; at != kNoCohort; at = cohorts_[at].next)
      tell_cohort(cohorts_[at], dispatched, state);
    state.add(kNoCohort);
  }
}

void Execution::tell_cohort(const Cohort& cohort, const GroupCounts& dispatched, StateWords& state) {
  tell_number(groups_[cohort.group], dispatched, state);
  tell_part(cohort.part, state);
  state.add(cohort.at);
  for (const std::uint64_t rounds : cohort.rounds) state.add(rounds);
  state.add((queue_.now() - cohort.since).count);
  state.add(cohort.phase);
}

void Execution::tell_part(const Part& part, StateWords& state) const {
  state.add(part.core);
  state.add(part.threads);
  if (part.engines == EngineSet::none) return;
  for (const std::uint32_t threads : engine_sets_.threads(part.engines)) state.add(threads);
}

/// Arrivals and ends of copies come when they come: periods end before them.
bool Execution::tell_event(Picoseconds time, const Event& event, const GroupCounts& dispatched, StateWords& state) {
  const auto rank = static_cast<Rank>(event.rank());
  if (event.is_of_launch()) return true;
  state.add(rank);
  state.add((time - queue_.now()).count);
  if (event.is_of_cohort()) {
    tell_cohort(cohorts_[event.cohort()], dispatched, state);
    return true;
  }
  if (rank != Rank::barrier_opens) return false;
  tell_number(groups_[event.group()], dispatched, state);
  state.add(event.meeting());
  return true;
}

void Execution::pass(const Shift& shift) {
  for (std::uint32_t i = 0; i < groups_.size(); ++i) {
    ActiveGroup& group = groups_[GroupIndex{i}];
    if (group.threads > 0)
      group.number = WorkGroupId{number_of(group.number) + count_of(shift.work_groups, group.launch)};
  }
  for (std::uint32_t i = 0; i < cohorts_.size(); ++i) {
    Cohort& cohort = cohorts_[CohortIndex{i}];
    if (cohort.part.threads > 0) cohort.since = cohort.since + shift.time;
  }
  contention_.pass(shift.time);
}

void Execution::book(CoreId core, KernelId kernel, const TimeUse& use) {
  for (std::size_t i = 0; i < kTimeKinds; ++i) ledger_.book(core, kernel, static_cast<TimeKind>(i), use.spent[i]);
}

}  // namespace gdsim
