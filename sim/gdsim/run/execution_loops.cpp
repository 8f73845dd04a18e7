#include <gdsim/run/execution.hpp>

#include <gdsim/engine/fair_pool.hpp>

#include <algorithm>
#include <limits>

// Rounds of a loop whose time is known pass at once: fixed times, whoever else is resident; work on what is shared with
// nobody, while nobody else is on the core. If someone comes, the loop goes on from where it then is.

namespace gdsim {

/// `cohort` has done a round of the loop that ends at its op and has `left` rounds to go. If all but the last can pass
/// at once, or as many as time can hold, schedules their end and returns true. The last one is gone through: what comes
/// behind the loop is seen ahead there. Whoever is missing may still be waited for.
bool Execution::skip_rounds(Cohort cohort, const Op& op, std::uint64_t left) {
  const ActiveGroup& group = groups_[cohort.group];
  if (cohort.part.threads != group.threads) return false;
  const bool shares = shares_something(cohort, op);
  if (shares && !is_alone_on_core(cohort.group)) return false;
  const auto round = time_of_round(cohort, op);
  if (!round || round->count == 0) return false;
  const std::int64_t rounds_of_time = (std::numeric_limits<std::int64_t>::max() - queue_.now().count) / round->count;
  left = std::min(left - 1, static_cast<std::uint64_t>(rounds_of_time));
  if (left < 2) return false;
  pass_meetings(cohort, op, static_cast<std::int64_t>(left));
  cohort.rounds[op.depth] += left;
  cohort.since = queue_.now();
  const CohortIndex index = cohorts_.add(cohort);
  if (shares) lone_[index_of(cohort.part.core)] = {index, left};
  queue_.schedule(queue_.now() + (Shift{*round, 0} * left).time, Event::step_ends(index));
  return true;
}

/// The rounds that `cohort` has skipped are over.
void Execution::end_rounds(Cohort cohort, const Op& op) {
  account_rounds(cohort, queue_.now() - cohort.since);
  lone_[index_of(cohort.part.core)].left = 0;
  cohort.at = op.target;
  enter(cohort);
}

/// Someone comes to the core: whose rounds pass there is in the middle of one of them.
void Execution::stop_passing(CoreId core) {
  LoneRounds& lone = lone_[index_of(core)];
  if (lone.left == 0) return;
  Cohort cohort = cohorts_[lone.cohort];
  const Op& loop_end = plan_of(groups_[cohort.group]).op(cohort.at);
  const Picoseconds round = *time_of_round(cohort, loop_end);
  const std::int64_t done = (queue_.now() - cohort.since).count / round.count;
  Picoseconds begun = cohort.since + Picoseconds{done * round.count};
  std::uint32_t at = loop_end.target;
  for (auto time = *time_alone(cohort, at); begun + time <= queue_.now(); time = *time_alone(cohort, at)) {
    begun = begun + time;
    ++at;
  }
  account_rounds(cohort, begun - cohort.since);
  pass_meetings(cohort, loop_end, done - static_cast<std::int64_t>(lone.left));
  cohort.rounds[loop_end.depth] -= lone.left - static_cast<std::uint64_t>(done);
  queue_.erase_if([&](const Event& event) {
    return static_cast<Rank>(event.rank()) == Rank::step_ends && event.cohort() == lone.cohort;
  });
  remove_cohort(lone.cohort);
  lone.left = 0;
  for (std::uint32_t i = loop_end.target; i < at; ++i) pass_meeting(cohort, i, 1);
  cohort.at = at;
  cohort.phase = 0;
  cohort.since = begun;
  begin(cohort, plan_of(groups_[cohort.group]).op(at), begun);
}

/// All threads of the cohort come to the op's meeting so many times more, if it is at one.
void Execution::pass_meeting(const Cohort& cohort, std::uint32_t at, std::int64_t times) {
  const Op& op = plan_of(groups_[cohort.group]).op(at);
  if (op.kind != OpKind::barrier) return;
  Meeting& meeting = meetings_.of(cohort.group, op.meeting);
  meeting.complete += static_cast<std::uint64_t>(times);
  meeting.open += static_cast<std::uint64_t>(times);
}

void Execution::pass_meetings(const Cohort& cohort, const Op& loop_end, std::int64_t times) {
  for (std::uint32_t i = loop_end.target; i < cohort.at; ++i) pass_meeting(cohort, i, times);
}

bool Execution::shares_something(const Cohort& cohort, const Op& loop_end) const {
  const ProgramPlan& plan = plan_of(groups_[cohort.group]);
  for (std::uint32_t i = loop_end.target; i < cohort.at; ++i)
    if (plan.op(i).kind == OpKind::issue || plan.op(i).kind == OpKind::slm) return true;
  return false;
}

/// How long the cohort takes for a round of the loop that ends at its op; nothing if that is not known beforehand, or
/// if something is seen of it.
std::optional<Picoseconds> Execution::time_of_round(const Cohort& cohort, const Op& loop_end) const {
  Picoseconds sum;
  for (std::uint32_t i = loop_end.target; i < cohort.at; ++i) {
    const auto time = time_alone(cohort, i);
    if (!time) return std::nullopt;
    sum = sum + *time;
  }
  return sum;
}

/// How long the cohort, all of its work-group, takes for the op if nobody else is on its core. Inner loops pass at once
/// themselves.
std::optional<Picoseconds> Execution::time_alone(const Cohort& cohort, std::uint32_t at) const {
  const ActiveGroup& group = groups_[cohort.group];
  const Op& op = plan_of(group).op(at);
  switch (op.kind) {
    case OpKind::compute: return Picoseconds{amount_of(cohort, at)};
    case OpKind::slm: return alone(Contention::slm_pool(), cohort.part.threads, amount_of(cohort, at)).next();
    case OpKind::issue: return issue_time_alone(cohort, at);
    case OpKind::barrier:
      if (plan_of(group).barrier_cost(group.threads).count == 0) return Picoseconds{};
      return std::nullopt;
    default: return std::nullopt;
  }
}

/// If all engines with threads of it are done at the same time.
std::optional<Picoseconds> Execution::issue_time_alone(const Cohort& cohort, std::uint32_t at) const {
  std::optional<Picoseconds> time;
  for (std::uint32_t pool = 0; pool < contention_.issue_pools(); ++pool) {
    const std::uint32_t threads = threads_on(cohort, pool);
    if (threads == 0) continue;
    const auto own = alone(contention_.issue_pool(pool), threads, amount_of(cohort, at)).next();
    if (time && own != time) return std::nullopt;
    time = own;
  }
  return time;
}

/// Threads of the cohort on the engines of an issue pool.
std::uint32_t Execution::threads_on(const Cohort& cohort, std::uint32_t pool) const {
  const auto by_engine = engine_sets_.threads(cohort.part.engines);
  const std::uint32_t first = pool * contention_.fused_engines();
  const std::uint32_t end = std::min(first + contention_.fused_engines(), engines_per_core_);
  std::uint32_t sum = 0;
  for (std::uint32_t engine = first; engine < end; ++engine) sum += by_engine[engine];
  return sum;
}

/// The pool with these members alone, who came at 0.
FairPool<CohortIndex> Execution::alone(FairPool<CohortIndex> pool, std::uint32_t threads, std::int64_t work) {
  pool.enter(Picoseconds{}, kNoCohort, threads, work);
  return pool;
}

/// Of a cohort whose rounds pass: what it did in `time` from the first of them on.
void Execution::account_rounds(const Cohort& cohort, Picoseconds time) {
  const ProgramPlan& plan = plan_of(groups_[cohort.group]);
  const Op& loop_end = plan.op(cohort.at);
  const std::int64_t round = time_of_round(cohort, loop_end)->count;
  const std::int64_t rounds = time.count / round;
  std::int64_t rest = time.count % round;
  const auto book = [&](OpKind kind, std::int64_t all, std::int64_t executing) {
    if (all > 0)
      ledger_.book_work(cohort.part.core, groups_[cohort.group].kernel, kind, cohort.part.threads, all, executing);
  };
  for (std::uint32_t i = loop_end.target; i < cohort.at; ++i) {
    const OpKind kind = plan.op(i).kind;
    const std::int64_t all = time_alone(cohort, i)->count;
    if (all == 0) continue;
    const std::int64_t executing = std::min(amount_of(cohort, i), all);
    book(kind, rounds * all, rounds * executing);
    const std::int64_t part = std::min(rest, all);
    book(kind, part, part == all ? executing : executing_after(cohort, i, Picoseconds{part}));
    rest -= part;
  }
}

/// How much of its executing time the cohort has behind it when it has been at the op, alone on its core, so long.
std::int64_t Execution::executing_after(const Cohort& cohort, std::uint32_t at, Picoseconds time) const {
  const Op& op = plan_of(groups_[cohort.group]).op(at);
  if (op.kind == OpKind::compute) return time.count;
  std::int64_t left = 0;
  const auto note = [&](CohortIndex, std::int64_t rest) { left = rest; };
  if (op.kind == OpKind::slm) {
    alone(Contention::slm_pool(), cohort.part.threads, amount_of(cohort, at)).tell_rest(time, note);
  } else {
    std::uint32_t pool = 0;
    while (threads_on(cohort, pool) == 0) ++pool;
    alone(contention_.issue_pool(pool), threads_on(cohort, pool), amount_of(cohort, at)).tell_rest(time, note);
  }
  return amount_of(cohort, at) - left;
}

}  // namespace gdsim
