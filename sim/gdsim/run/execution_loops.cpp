#include <gdsim/run/execution.hpp>

#include <gdsim/engine/fair_pool.hpp>

#include <algorithm>
#include <limits>
#include <utility>

// Rounds of a loop whose time is known pass at once: fixed times, whoever else is resident; work on what is shared with
// nobody, while nobody else is on the core. If someone comes, the loop goes on from where it then is.

namespace gdsim {

/// Tells what a round of the loop that ends there consists of, and how often, those of inner loops multiplied:
/// `visit(op, times)`. As many as the longest time has picoseconds are as good as more.
template <class Visit>
void Execution::visit_round(const Cohort& cohort, std::uint32_t loop_end, Visit&& visit) const {
  const ProgramPlan& plan = plan_of(groups_[cohort.group]);
  struct Around {
    std::uint32_t first = 0;
    std::uint64_t times = 1;  // of what is around the loop
  };
  std::array<Around, kMostLoops> loops;
  std::size_t depth = 0;
  std::uint64_t times = 1;
  for (std::uint32_t i = loop_end; i-- > plan.op(loop_end).target;) {
    const Op& op = plan.op(i);
    if (op.kind == OpKind::loop_end) {
      loops[depth++] = {op.target, times};
      times = static_cast<std::uint64_t>(
          std::min<UInt128>(UInt128{times} * op.count, std::numeric_limits<std::int64_t>::max()));
      continue;
    }
    visit(i, times);
    while (depth > 0 && loops[depth - 1].first == i) times = loops[--depth].times;
  }
}

/// The cohort, at the end of a loop, goes back and so far into another round: `passed(op, times)` tells what of that it
/// has behind it. Returns how long it has been at the op at which it then is.
template <class Visit>
Picoseconds Execution::go_into_round(Cohort& cohort, Picoseconds time, Visit&& passed) const {
  const ProgramPlan& plan = plan_of(groups_[cohort.group]);
  std::uint32_t end = cohort.at;
  std::uint32_t at = plan.op(end).target;
  while (true) {
    if (const auto inner = loop_from(cohort, at, end)) {
      const Op& op = plan.op(*inner);
      const std::int64_t round = time_of_round(cohort, *inner)->count;
      const std::uint64_t all = round == 0 ? op.count : static_cast<std::uint64_t>(time.count / round);
      const std::uint64_t rounds = std::min(op.count, all);
      visit_round(cohort, *inner, [&](std::uint32_t i, std::uint64_t times) { passed(i, rounds * times); });
      time.count -= static_cast<std::int64_t>(rounds) * round;
      if (rounds == op.count) {
        at = *inner + 1;
      } else {
        cohort.rounds[op.depth] = rounds;
        end = *inner;
      }
      continue;
    }
    const Picoseconds needed = *time_alone(cohort, at);
    if (time < needed) break;
    time = time - needed;
    passed(at++, 1);
  }
  cohort.at = at;
  return time;
}

/// The end of the largest loop that begins with the op `first` and ends before `end`.
std::optional<std::uint32_t> Execution::loop_from(const Cohort& cohort, std::uint32_t first, std::uint32_t end) const {
  const ProgramPlan& plan = plan_of(groups_[cohort.group]);
  for (std::uint32_t i = end; i-- > first;)
    if (plan.op(i).kind == OpKind::loop_end && plan.op(i).target == first) return i;
  return std::nullopt;
}

/// `cohort` has done a round of the loop that ends at its op and has `left` rounds to go. If all but the last can pass
/// at once, or as many as time can hold, schedules their end and returns true. The last one is gone through: what comes
/// behind the loop is seen ahead there. Whoever is missing may still be waited for.
bool Execution::skip_rounds(Cohort cohort, const Op& op, std::uint64_t left) {
  const bool is_whole = cohort.part.threads == groups_[cohort.group].threads;
  if (!is_whole && !has_own_engines(cohort)) return false;
  const bool shares = shares_something(cohort, op);
  if ((shares || !is_whole) && !is_alone_on_core(cohort.group)) return false;
  const auto round = time_of_round(cohort, cohort.at);
  if (!round || round->count == 0) return false;
  const std::int64_t rounds_of_time = (std::numeric_limits<std::int64_t>::max() - queue_.now().count) / round->count;
  left = std::min(left - 1, static_cast<std::uint64_t>(rounds_of_time));
  if (left < 2) return false;
  pass_meetings(cohort, cohort.at, static_cast<std::int64_t>(left));
  cohort.rounds[op.depth] += left;
  cohort.since = queue_.now();
  const CohortIndex index = cohorts_.add(cohort);
  if (shares) lone_[index_of(cohort.part.core)].push_back({index, left});
  queue_.schedule(queue_.now() + times(*round, left), Event::step_ends(index));
  return true;
}

/// The rounds that `cohort`, until now `index`, has skipped are over.
void Execution::end_rounds(Cohort cohort, CohortIndex index, const Op& op) {
  account_rounds(cohort, queue_.now() - cohort.since);
  std::erase_if(lone_[index_of(cohort.part.core)], [&](const LoneRounds& lone) { return lone.cohort == index; });
  cohort.at = op.target;
  enter(cohort);
}

/// Someone comes to the core: whose rounds pass there is in the middle of one of them.
void Execution::stop_passing(CoreId core) {
  for (const LoneRounds& lone : std::exchange(lone_[index_of(core)], {})) {
    queue_.erase_if([&](const Event& event) {
      return static_cast<Rank>(event.rank()) == Rank::step_ends && event.cohort() == lone.cohort;
    });
    Cohort cohort = cohorts_[lone.cohort];
    remove_cohort(lone.cohort);
    const std::uint32_t loop_end = cohort.at;
    const Picoseconds round = *time_of_round(cohort, loop_end);
    const Picoseconds passed = queue_.now() - cohort.since;
    const std::int64_t done = passed.count / round.count;
    pass_meetings(cohort, loop_end, done - static_cast<std::int64_t>(lone.left));
    Cohort stopped = cohort;
    stopped.rounds[plan_of(groups_[cohort.group]).op(loop_end).depth] -= lone.left - static_cast<std::uint64_t>(done);
    const Picoseconds rest = go_into_round(
        stopped, Picoseconds{passed.count % round.count},
        [&](std::uint32_t at, std::uint64_t times) { pass_meeting(cohort, at, static_cast<std::int64_t>(times)); });
    account_rounds(cohort, passed - rest);
    stopped.phase = 0;
    stopped.since = queue_.now() - rest;
    begin(stopped, plan_of(groups_[stopped.group]).op(stopped.at), stopped.since);
  }
}

/// All threads of the cohort come to the op's meeting so many times more, if it is at one.
void Execution::pass_meeting(const Cohort& cohort, std::uint32_t at, std::int64_t times) {
  const Op& op = plan_of(groups_[cohort.group]).op(at);
  if (op.kind != OpKind::barrier && op.kind != OpKind::signal) return;
  Meeting& meeting = meetings_.of(cohort.group, op.meeting);
  meeting.complete += static_cast<std::uint64_t>(times);
  meeting.open += static_cast<std::uint64_t>(times);
}

void Execution::pass_meetings(const Cohort& cohort, std::uint32_t loop_end, std::int64_t rounds) {
  visit_round(cohort, loop_end, [&](std::uint32_t at, std::uint64_t times) {
    pass_meeting(cohort, at, rounds * static_cast<std::int64_t>(times));
  });
}

/// All threads of its work-group that are on its engines go along.
bool Execution::has_own_engines(const Cohort& cohort) const {
  const ActiveGroup& group = groups_[cohort.group];
  if (cohort.part.engines == EngineSet::none || group.placed < group.threads) return false;
  const std::size_t first = static_cast<std::size_t>(cohort.group) * contention_.issue_pools();
  for (std::uint32_t pool = 0; pool < contention_.issue_pools(); ++pool) {
    const std::uint32_t threads = threads_on(cohort.part, pool);
    if (threads > 0 && threads != on_engines_[first + pool]) return false;
  }
  return true;
}

bool Execution::shares_something(const Cohort& cohort, const Op& loop_end) const {
  const ProgramPlan& plan = plan_of(groups_[cohort.group]);
  for (std::uint32_t i = loop_end.target; i < cohort.at; ++i)
    if (plan.op(i).kind == OpKind::issue || plan.op(i).kind == OpKind::slm) return true;
  return false;
}

/// How long the cohort takes for a round of the loop that ends there; nothing if that is not known beforehand, or if
/// something is seen of it.
std::optional<Picoseconds> Execution::time_of_round(const Cohort& cohort, std::uint32_t loop_end) const {
  std::optional<std::int64_t> sum = 0;
  visit_round(cohort, loop_end, [&](std::uint32_t at, std::uint64_t times) {
    const auto time = sum ? time_alone(cohort, at) : std::nullopt;
    std::int64_t all = 0;
    if (!time || __builtin_mul_overflow(times, time->count, &all) || __builtin_add_overflow(*sum, all, &*sum))
      sum.reset();
  });
  return sum ? std::optional(Picoseconds{*sum}) : std::nullopt;
}

/// How long the cohort takes for the op if nobody else is on its core, or its engines if it is not all of its
/// work-group. All of it meets itself in no time.
std::optional<Picoseconds> Execution::time_alone(const Cohort& cohort, std::uint32_t at) const {
  const ActiveGroup& group = groups_[cohort.group];
  const bool is_whole = cohort.part.threads == group.threads;
  const Op& op = plan_of(group).op(at);
  switch (op.kind) {
    case OpKind::compute: return Picoseconds{amount_of(cohort, at)};
    case OpKind::issue: return issue_time_alone(cohort, at);
    case OpKind::slm:
      if (!is_whole) return std::nullopt;
      return alone(Contention::slm_pool(), cohort.part.threads, amount_of(cohort, at)).next();
    case OpKind::barrier:
      if (!is_whole || plan_of(group).barrier_cost(group.threads).count > 0) return std::nullopt;
      return Picoseconds{};
    case OpKind::signal: return is_whole ? std::optional(Picoseconds{}) : std::nullopt;
    case OpKind::wait: return is_whole && signals_enough(cohort, at) ? std::optional(Picoseconds{}) : std::nullopt;
    default: return std::nullopt;
  }
}

/// In the rounds that pass, all come to the meeting of this op as often as they wait for it.
bool Execution::signals_enough(const Cohort& cohort, std::uint32_t wait) const {
  const ProgramPlan& plan = plan_of(groups_[cohort.group]);
  const Op& op = plan.op(wait);
  const Op& loop_end = plan.op(cohort.at);
  for (std::uint32_t i = loop_end.target; i < cohort.at; ++i)
    if ((plan.op(i).kind == OpKind::barrier || plan.op(i).kind == OpKind::signal) && plan.op(i).meeting == op.meeting)
      return plan.op(i).per_round[loop_end.depth] >= op.per_round[loop_end.depth];
  return false;
}

/// If all engines with threads of it are done at the same time.
std::optional<Picoseconds> Execution::issue_time_alone(const Cohort& cohort, std::uint32_t at) const {
  std::optional<Picoseconds> time;
  for (std::uint32_t pool = 0; pool < contention_.issue_pools(); ++pool) {
    const std::uint32_t threads = threads_on(cohort.part, pool);
    if (threads == 0) continue;
    const auto own = alone(contention_.issue_pool(pool), threads, amount_of(cohort, at)).next();
    if (time && own != time) return std::nullopt;
    time = own;
  }
  return time;
}

/// Threads of the part on the engines of an issue pool.
std::uint32_t Execution::threads_on(const Part& part, std::uint32_t pool) const {
  const auto by_engine = engine_sets_.threads(part.engines);
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
  if (waits_.is_on()) log_rounds(cohort, time);
  const ProgramPlan& plan = plan_of(groups_[cohort.group]);
  const std::int64_t round = time_of_round(cohort, cohort.at)->count;
  const auto book = [&](std::uint32_t at, std::int64_t all, std::int64_t executing) {
    if (all > 0)
      ledger_.book_work(cohort.part.core, groups_[cohort.group].kernel, plan.op(at).kind, cohort.part.threads, all,
                        executing);
  };
  const auto book_whole = [&](std::uint32_t at, std::int64_t times) {
    const std::int64_t all = time_alone(cohort, at)->count;
    if (all > 0) book(at, times * all, times * std::min(amount_of(cohort, at), all));
  };
  visit_round(cohort, cohort.at, [&](std::uint32_t at, std::uint64_t times) {
    book_whole(at, time.count / round * static_cast<std::int64_t>(times));
  });
  Cohort last = cohort;
  const Picoseconds rest =
      go_into_round(last, Picoseconds{time.count % round},
                    [&](std::uint32_t at, std::uint64_t times) { book_whole(at, static_cast<std::int64_t>(times)); });
  if (rest.count > 0) book(last.at, rest.count, executing_after(cohort, last.at, rest));
}

/// The waits of the rounds that a cohort, at the end of a loop, has passed in `time` since it began with them.
void Execution::log_rounds(const Cohort& cohort, Picoseconds time) {
  const Picoseconds round = *time_of_round(cohort, cohort.at);
  const std::uint32_t first = plan_of(groups_[cohort.group]).op(cohort.at).target;
  const auto whole = static_cast<std::uint64_t>(time.count / round.count);
  WaitSpan at{cohort.since, cohort.since, 0, cohort.part.threads, 0, 0, {}};
  if (whole > 0) {
    WaitSpan rounds = at;
    rounds.repeat(whole, round);
    log_ops(cohort, first, cohort.at, rounds, cohort.since + round);
  }
  at.begin = cohort.since + times(round, whole);
  log_ops(cohort, first, cohort.at, at, cohort.since + time);
}

/// The waits in the ops from `first` to before `end`, gone through from `at.begin` on, as far as they lie before
/// `until`.
void Execution::log_ops(const Cohort& cohort, std::uint32_t first, std::uint32_t end, WaitSpan at, Picoseconds until) {
  const ProgramPlan& plan = plan_of(groups_[cohort.group]);
  for (std::uint32_t i = first; i < end && at.begin < until; ++i) {
    if (const auto inner = loop_from(cohort, i, end)) {
      const Picoseconds round = *time_of_round(cohort, *inner);
      const std::uint64_t all = plan.op(*inner).count;
      const std::uint64_t whole =
          round.count == 0 ? all : std::min(all, static_cast<std::uint64_t>((until - at.begin).count / round.count));
      if (whole > 0) {
        WaitSpan rounds = at;
        rounds.repeat(whole, round);
        log_ops(cohort, i, *inner, rounds, at.begin + round);
      }
      at.begin = at.begin + times(round, whole);
      if (whole < all) log_ops(cohort, i, *inner, at, until);
      if (whole < all) return;
      i = *inner;
      continue;
    }
    const Picoseconds needed = *time_alone(cohort, i);
    const Picoseconds taken = std::min(needed, until - at.begin);
    const std::int64_t executing =
        taken == needed ? std::min(amount_of(cohort, i), taken.count) : executing_after(cohort, i, taken);
    at.end = at.begin + taken;
    at.waited = taken.count - executing;
    if (taken.count > 0 && at.waited > 0) {
      at.column = TimeLedger::wait_column(plan.op(i).kind, 0);
      waits_.add(at);
    }
    at.begin = at.end;
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
    while (threads_on(cohort.part, pool) == 0) ++pool;
    alone(contention_.issue_pool(pool), threads_on(cohort.part, pool), amount_of(cohort, at)).tell_rest(time, note);
  }
  return amount_of(cohort, at) - left;
}

}  // namespace gdsim
