#include <gdsim/run/execution.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

// Work-groups that share nothing with others and of whose rounds nothing is seen: each has periods of its own, which it
// runs ahead.

namespace gdsim {

bool Execution::is_apart(GroupIndex index) const {
  const ActiveGroup& group = groups_[index];
  if (group.placed < group.threads || !is_alone_on_core(index)) return false;
  const ProgramPlan& plan = plan_of(group);
  for (std::uint32_t i = 0; i < plan.size(); ++i)
    if (plan.op(i).kind == OpKind::memory || plan.op(i).kind == OpKind::launch) return false;
  for (std::uint32_t i = 0; i < plan.meetings(); ++i)
    if (meetings_.of(index, i).complete != meetings_.of(index, i).open) return false;
  return true;
}

void Execution::tell_state_of(GroupIndex group, LoopState& state) const {
  state.clear(queue_.now());
  state.groups.push_back(group);
  state.is_apart = true;
  tell_meetings(group, state);
  std::vector<CohortIndex> all;
  for (std::uint32_t i = 0; i < cohorts_.size(); ++i) {
    const Cohort& cohort = cohorts_[CohortIndex{i}];
    if (cohort.part.threads == 0 || cohort.group != group) continue;
    const OpKind kind = plan_of(groups_[group]).op(cohort.at).kind;
    if (kind != OpKind::barrier && kind != OpKind::wait) all.push_back(CohortIndex{i});
  }
  std::stable_sort(all.begin(), all.end(), [this](CohortIndex a, CohortIndex b) {
    const auto key = [this](CohortIndex i) {
      return std::tuple(cohorts_[i].first_thread, cohorts_[i].at, cohorts_[i].since.count, cohorts_[i].part.threads);
    };
    return key(a) < key(b);
  });
  for (const CohortIndex cohort : all) tell_loop_cohort(cohort, state);
  std::vector<CohortIndex> users;
  contention_.tell_state_of(groups_[group].core, queue_.now(), state.words, users);
  for (const CohortIndex user : users) state.words.add(std::find(all.begin(), all.end(), user) - all.begin());
  end_item(state);
}

TimeUse Execution::time_use_on_core(GroupIndex group) const {
  return ledger_.of_kernel(groups_[group].kernel)[index_of(groups_[group].core)];
}

bool Execution::concerns(const Event& event, std::span<const GroupIndex> groups) const {
  const auto rank = static_cast<Rank>(event.rank());
  if (rank != Rank::thread_ends && rank != Rank::step_ends) return false;
  return std::find(groups.begin(), groups.end(), cohorts_[event.cohort()].group) != groups.end();
}

void Execution::run_ahead(const LoopPeriod& period, std::uint64_t count, const TimeUse& in_one) {
  const Picoseconds time = (Shift{period.time, 0} * count).time;
  std::erase_if(ahead_, [this](const Ahead& ahead) { return ahead.until <= queue_.now(); });
  std::vector<std::pair<Picoseconds, Event>> moving;
  const std::vector<bool> comes_along = advancing(period);
  queue_.visit_pending([&](Picoseconds at, const Event& event) {
    if (concerns(event, period.groups) && moves(event, comes_along)) moving.emplace_back(at, event);
  });
  queue_.erase_if([&](const Event& event) { return concerns(event, period.groups) && moves(event, comes_along); });
  for (const auto& [at, event] : moving) queue_.schedule(at + time, event);
  move_apart(period, count, time, in_one);
  ahead_.push_back({period, queue_.now() + time, in_one});
  ahead_until_ = std::max(ahead_until_, ahead_.back().until);
  for (LoopPeriod::Course& course : ahead_.back().period.courses) course.done += count * course.more;
}

/// All of it but its events.
void Execution::move_apart(const LoopPeriod& period, std::uint64_t count, Picoseconds time, const TimeUse& in_one) {
  const ActiveGroup& group = groups_[period.groups.front()];
  advance(period, count, time);
  contention_.pass(group.core, time);
  TimeUse use = in_one;
  for (Int128& spent : use.spent) spent *= static_cast<std::int64_t>(count);
  book(group.core, group.kernel, use);
}

/// The run is over: periods that have not begun are taken back. What was done of the last counts for the steps in which
/// it was begun.
void Execution::fetch_back(Picoseconds now) {
  for (const Ahead& ahead : ahead_) {
    if (ahead.until <= now) continue;
    const std::int64_t time = ahead.period.time.count;
    const std::int64_t periods = ((ahead.until - now).count + time - 1) / time;
    move_apart(ahead.period, 0 - static_cast<std::uint64_t>(periods), Picoseconds{-periods * time}, ahead.in_one);
  }
  ahead_.clear();
}

}  // namespace gdsim
