#include <gdsim/run/execution.hpp>

#include <algorithm>
#include <map>
#include <utility>

// Loops of which nobody ends for a while: what an execution goes on from recurs in all but the rounds that are done,
// and it passes over periods that are alike.

namespace gdsim {

/// The end of a round. The first one to come to a loop is whose rounds are looked at. If that takes long to come again,
/// somebody else may be in a loop of many more rounds: each time it does, patience is twice as long.
void Execution::come_to_loop_head(const Cohort& cohort, const Op& op) {
  if (++heads_passed_ > patience_) {
    patience_ *= 2;
    anchor_.reset();
    deepest_anchor_ = kMostLoops - 1;
  }
  if (!anchor_ && op.depth <= deepest_anchor_) anchor_ = LoopAnchor{cohort.group, cohort.at, op.depth};
  if (!anchor_ || anchor_->group != cohort.group || anchor_->at != cohort.at) return;
  is_at_anchor_ = true;
  heads_passed_ = 0;
}

/// The last round of a loop is over, perhaps that of those that are looked at.
void Execution::leave_loop(const Cohort& cohort, const Op& op) {
  if (op.depth == 0 && anchor_ && anchor_->group == cohort.group && op.target <= anchor_->at &&
      anchor_->at <= cohort.at)
    choose_loop_anew();
}

void Execution::choose_loop_anew() {
  anchor_.reset();
  deepest_anchor_ = kMostLoops - 1;
  heads_passed_ = 0;
  patience_ = kPatience;
}

void Execution::choose_outer_loop() {
  if (!anchor_ || anchor_->depth == 0) return;
  deepest_anchor_ = anchor_->depth - 1U;
  anchor_.reset();
  heads_passed_ = 0;
}

void Execution::tell_loop_state(LoopState& state) const {
  state.clear(queue_.now());
  queue_.visit_pending([&](Picoseconds time, const Event& event) { tell_loop_event(time, event, state); });
  for (std::uint32_t i = 0; i < groups_.size(); ++i)
    if (groups_[GroupIndex{i}].threads > 0) tell_meetings(GroupIndex{i}, state);
  std::vector<CohortIndex> users;
  contention_.tell_state(queue_.now(), state.words, users);
  end_item(state);
  for (const CohortIndex cohort : users) tell_loop_cohort(cohort, state);
}

/// Arrivals of launches and ends of copies stand where they are.
void Execution::tell_loop_event(Picoseconds time, const Event& event, LoopState& state) const {
  const auto rank = static_cast<Rank>(event.rank());
  if (!event.is_of_cohort() && rank != Rank::barrier_opens) return;
  state.words.add(rank);
  state.words.add((time - queue_.now()).count);
  if (event.is_of_cohort()) {
    tell_loop_cohort(event.cohort(), state);
  } else {
    state.words.add(event.group());
    state.words.add(event.meeting());
    end_item(state);
  }
}

void Execution::tell_meetings(GroupIndex group, LoopState& state) const {
  for (std::uint32_t i = 0; i < plan_of(groups_[group]).meetings(); ++i) {
    const Meeting& meeting = meetings_.of(group, i);
    state.phases.push_back(meeting.complete);
    state.words.add(meeting.complete - meeting.open);
    end_item(state);
    for (CohortIndex at = meeting.waiting; at != kNoCohort; at = cohorts_[at].next) {
      state.words.add(i);
      state.words.add(cohorts_[at].phase - meeting.open);
      tell_loop_cohort(at, state);
    }
  }
}

void Execution::tell_loop_cohort(CohortIndex index, LoopState& state) const {
  const Cohort& cohort = cohorts_[index];
  state.words.add(cohort.group);
  state.words.add(cohort.first_thread);  // rounds are his own: two who change places are not as they were
  tell_part(cohort.part, state.words);
  state.words.add(cohort.at);
  state.words.add(cohort.factor);
  state.words.add((queue_.now() - cohort.since).count);
  state.items.push_back({index, true, cohort.since, cohort.rounds, state.words.size()});
}

void Execution::end_item(LoopState& state) {
  LoopState::Item item;
  item.words_end = state.words.size();
  state.items.push_back(item);
}

/// Whoever has stood still since the state before stands apart: he goes on when he would have.
std::optional<LoopPeriod> Execution::loop_period(const LoopState& before, const LoopState& now) const {
  if (now.time <= before.time || before.phases.size() != now.phases.size()) return std::nullopt;
  std::vector<bool> stands(cohorts_.size(), false);
  for (const LoopState::Item& item : now.items)
    if (item.is_cohort && item.since <= before.time) stands[static_cast<std::size_t>(item.cohort)] = true;
  const auto is_apart = [&](const LoopState::Item& item) {
    return item.is_cohort && stands[static_cast<std::size_t>(item.cohort)];
  };
  LoopPeriod period;
  period.time = now.time - before.time;
  for (std::size_t i = 0; i < now.phases.size(); ++i) period.phases.push_back(now.phases[i] - before.phases[i]);
  period.first_meeting = first_meetings();
  period.most = ~std::uint64_t{0};
  std::size_t old = 0;
  std::size_t old_words = 0;
  std::size_t words = 0;
  for (const LoopState::Item& item : now.items) {
    const std::size_t first_word = std::exchange(words, item.words_end);
    if (is_apart(item)) continue;
    while (old < before.items.size() && is_apart(before.items[old])) old_words = before.items[old++].words_end;
    if (old == before.items.size()) return std::nullopt;
    const LoopState::Item& then = before.items[old++];
    const std::size_t first_old_word = std::exchange(old_words, then.words_end);
    const auto then_words = before.words.range(first_old_word, old_words);
    const auto now_words = now.words.range(first_word, words);
    if (item.is_cohort != then.is_cohort ||
        !std::equal(then_words.begin(), then_words.end(), now_words.begin(), now_words.end()))
      return std::nullopt;
    if (item.is_cohort && !add_advance(then, item, period)) return std::nullopt;
  }
  while (old < before.items.size() && is_apart(before.items[old])) ++old;
  if (old < before.items.size() || period.advances.empty() || !leads_fit(stands, period)) return std::nullopt;
  if (!can_tell_apart(period)) return std::nullopt;
  return period;
}

/// Parts of one cohort sit on engines of their own. If two that were told alike sat on the same, it would not be known
/// who has done whose rounds.
bool Execution::can_tell_apart(const LoopPeriod& period) const {
  std::map<std::pair<GroupIndex, std::uint32_t>, std::vector<CohortIndex>> alike;
  for (const LoopPeriod::Advance& advance : period.advances) {
    const Cohort& cohort = cohorts_[advance.cohort];
    alike[{cohort.group, cohort.first_thread}].push_back(advance.cohort);
  }
  return std::all_of(alike.begin(), alike.end(), [this](const auto& entry) {
    std::vector<std::uint32_t> cohorts_on(contention_.issue_pools(), 0);
    if (entry.second.size() == 1) return true;
    for (const CohortIndex index : entry.second) {
      if (cohorts_[index].part.engines == EngineSet::none) return false;
      for (std::uint32_t pool = 0; pool < contention_.issue_pools(); ++pool)
        if (threads_on(cohorts_[index].part, pool) > 0 && ++cohorts_on[pool] > 1) return false;
    }
    return true;
  });
}

/// The cohort must have advanced in one loop only: then it has not come to that loop's end, and inner ones recur.
bool Execution::add_advance(const LoopState::Item& before, const LoopState::Item& now, LoopPeriod& period) const {
  std::optional<std::size_t> depth;
  for (std::size_t i = 0; i < kMostLoops; ++i) {
    if (now.rounds[i] == before.rounds[i]) continue;
    if (depth || now.rounds[i] < before.rounds[i]) return false;
    depth = i;
  }
  if (!depth) return false;
  const ProgramPlan& plan = plan_of(groups_[cohorts_[now.cohort].group]);
  const std::uint64_t rounds = now.rounds[*depth] - before.rounds[*depth];
  const std::uint64_t count = plan.op(loop_end_around(plan, cohorts_[now.cohort].at, *depth)).count;
  // In the last round, what comes behind the loop is seen ahead.
  const std::uint64_t left = count - std::min(count, now.rounds[*depth] + 2);
  period.most = std::min(period.most, left / rounds);
  period.advances.push_back({now.cohort, static_cast<std::uint8_t>(*depth), rounds});
  return true;
}

std::uint32_t Execution::loop_end_around(const ProgramPlan& plan, std::uint32_t at, std::size_t depth) {
  while (plan.op(at).kind != OpKind::loop_end || plan.op(at).depth != depth) ++at;
  return at;
}

/// By group: where its meetings begin among those of all active groups.
std::vector<std::size_t> Execution::first_meetings() const {
  std::vector<std::size_t> first(groups_.size(), 0);
  std::size_t meetings = 0;
  for (std::uint32_t i = 0; i < groups_.size(); ++i) {
    first[i] = meetings;
    if (groups_[GroupIndex{i}].threads > 0) meetings += plan_of(groups_[GroupIndex{i}]).meetings();
  }
  return first;
}

/// So many that whoever stands apart goes on behind them, and no time leaves 64 bits.
std::uint64_t Execution::rounds_to_pass(const LoopPeriod& period, Picoseconds bound) const {
  const std::vector<bool> comes_along = advancing(period);
  Picoseconds last = queue_.now();
  queue_.visit_pending([&](Picoseconds time, const Event& event) {
    if (moves(event, comes_along)) {
      last = std::max(last, time);
    } else {
      bound = std::min(bound, time);
    }
  });
  const std::int64_t before_bound = std::max<std::int64_t>((bound - queue_.now()).count - 1, 0);
  const std::int64_t before_overflow = std::numeric_limits<std::int64_t>::max() - last.count;
  return std::min(period.most, static_cast<std::uint64_t>(std::min(before_bound, before_overflow) / period.time.count));
}

std::vector<bool> Execution::advancing(const LoopPeriod& period) const {
  std::vector<bool> comes_along(cohorts_.size(), false);
  for (const LoopPeriod::Advance& advance : period.advances)
    comes_along[static_cast<std::size_t>(advance.cohort)] = true;
  return comes_along;
}

bool Execution::moves(const Event& event, const std::vector<bool>& comes_along) {
  if (static_cast<Rank>(event.rank()) == Rank::barrier_opens) return true;
  return event.is_of_cohort() && comes_along[static_cast<std::size_t>(event.cohort())];
}

void Execution::pass_rounds(const LoopPeriod& period, std::uint64_t count, const std::vector<KernelUse>& before) {
  const Picoseconds time = times(period.time, count);
  for (std::uint32_t i = 0; i < groups_.size(); ++i)
    if (groups_[GroupIndex{i}].threads > 0) pass_meetings_of(GroupIndex{i}, period, count);
  for (const LoopPeriod::Advance& advance : period.advances) {
    Cohort& cohort = cohorts_[advance.cohort];
    const Op& op = plan_of(groups_[cohort.group]).op(cohort.at);
    cohort.rounds[advance.depth] += advance.rounds * count;
    cohort.since = cohort.since + time;
    if (op.kind == OpKind::barrier || op.kind == OpKind::wait)
      cohort.phase += count * period.phases_of(cohort.group, op.meeting);
  }
  queue_.pass(time, [comes_along = advancing(period)](const Event& event) { return moves(event, comes_along); });
  contention_.pass(time);
  for (const KernelUse& kernel : before) {
    const std::vector<TimeUse> now = ledger_.of_kernel(kernel.kernel);
    for (std::size_t core = 0; core < now.size(); ++core) {
      TimeUse use;
      for (std::size_t kind = 0; kind < kTimeKinds; ++kind)
        use.spent[kind] = (now[core].spent[kind] - kernel.by_core[core].spent[kind]) * static_cast<Int128>(count);
      book(static_cast<CoreId>(core), kernel.kernel, use);
    }
  }
}

std::vector<KernelUse> Execution::time_use_of_active_kernels() const {
  std::vector<bool> is_active(plans_.size(), false);
  for (const ActiveGroup& group : groups_)
    if (group.threads > 0) is_active[index_of(group.kernel)] = true;
  std::vector<KernelUse> uses;
  for (std::size_t i = 0; i < is_active.size(); ++i)
    if (is_active[i]) uses.push_back({static_cast<KernelId>(i), ledger_.of_kernel(static_cast<KernelId>(i))});
  return uses;
}

}  // namespace gdsim
