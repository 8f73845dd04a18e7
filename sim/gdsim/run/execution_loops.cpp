#include <gdsim/run/execution.hpp>

#include <gdsim/base/check.hpp>

// Rounds of a loop that are all alike pass at once: exactly, for nothing can come between them.

namespace gdsim {
namespace {

/// The body is fixed times and meetings that cost nothing: whoever else is resident, a round takes as long.
bool is_fixed(const ProgramPlan& plan, const Op& loop_end, std::uint32_t at) {
  for (std::uint32_t i = loop_end.target; i < at; ++i) {
    const OpKind kind = plan.op(i).kind;
    if (kind != OpKind::compute && kind != OpKind::barrier) return false;
  }
  return true;
}

bool has_barrier(const ProgramPlan& plan, const Op& loop_end, std::uint32_t at) {
  for (std::uint32_t i = loop_end.target; i < at; ++i)
    if (plan.op(i).kind == OpKind::barrier) return true;
  return false;
}

/// Outer rounds repeat inner loops: what an inner loop learns is of no use then.
bool has_loop(const ProgramPlan& plan, const Op& loop_end, std::uint32_t at) {
  for (std::uint32_t i = loop_end.target; i < at; ++i)
    if (plan.op(i).kind == OpKind::loop_end) return true;
  return false;
}

}  // namespace

/// `cohort` has done a round of the loop that ends at its op and has `left` rounds to go. If the next ones can pass at
/// once, schedules their end and returns true.
bool Execution::skip_rounds(Cohort cohort, const Op& op, std::uint64_t left) {
  const ActiveGroup& group = groups_[cohort.group];
  const ProgramPlan& plan = plan_of(group);
  // Whoever is missing may still be waited for; a barrier that costs time shows in the timeline.
  const bool may_skip = skipping_ == Skipping::yes && left > 1 && cohort.part.threads == group.threads &&
                        !has_loop(plan, op, cohort.at) &&
                        (!has_barrier(plan, op, cohort.at) || plan.barrier_cost(group.threads).count == 0);
  const bool fixed = may_skip && is_fixed(plan, op, cohort.at);
  Picoseconds round;
  if (fixed) {
    for (std::uint32_t i = op.target; i < cohort.at; ++i)
      if (plan.op(i).kind == OpKind::compute) round = round + Picoseconds{amount_of(cohort, i)};
  } else if (may_skip) {
    if (const auto seen = see_round(cohort, op)) round = *seen;
    left = rounds_until_next_event(round, left);
  }
  if (fixed || !may_skip) last_round_.reset();
  if (left == 0 || round.count == 0) return false;
  pass_rounds(cohort, op, left, round);
  return true;
}

/// Alone on the device, with nothing to come: a round takes as long as the one before. Nothing if it was not alone in
/// that one.
std::optional<Picoseconds> Execution::see_round(const Cohort& cohort, const Op& op) {
  const std::optional<Round> before = last_round_;
  const ActiveGroup& group = groups_[cohort.group];
  last_round_.reset();
  if (active_ != 1) return std::nullopt;
  const TimeUse use = ledger_.of(cohort.part.core, group.kernel);
  last_round_ = Round{cohort.group, cohort.at, cohort.rounds, comings_and_goings_, queue_.now(), use, {}};
  if (!before || before->group != cohort.group || before->at != cohort.at ||
      before->comings_and_goings != comings_and_goings_)
    return std::nullopt;
  // The round before in the same pass through this loop: what lies between two passes is no round.
  auto rounds = before->rounds;
  ++rounds[op.depth];
  if (rounds != cohort.rounds) return std::nullopt;
  for (std::size_t i = 0; i < kTimeKinds; ++i) last_round_->spent.spent[i] = use.spent[i] - before->use.spent[i];
  return queue_.now() - before->time;
}

std::uint64_t Execution::rounds_until_next_event(Picoseconds round, std::uint64_t left) const {
  if (!queue_.instant_is_over()) return 0;  // something else happens at this very instant
  const auto next = queue_.next_time();
  if (!next || round.count == 0) return left;
  return std::min(
      left, static_cast<std::uint64_t>((*next - queue_.now()).count - 1) / static_cast<std::uint64_t>(round.count));
}

void Execution::pass_rounds(Cohort cohort, const Op& op, std::uint64_t rounds, Picoseconds round) {
  const ActiveGroup& group = groups_[cohort.group];
  const ProgramPlan& plan = plan_of(group);
  for (std::uint32_t i = op.target; i < cohort.at; ++i) {
    const Op& inner = plan.op(i);
    if (inner.kind != OpKind::barrier && inner.kind != OpKind::signal) continue;
    Meeting& meeting = meetings_.of(cohort.group, inner.meeting);
    meeting.complete += rounds;
    meeting.open += rounds;
  }
  std::int64_t all = 0;
  if (rounds > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) ||
      __builtin_mul_overflow(static_cast<std::int64_t>(rounds), round.count, &all))
    raise_time_overflow();
  cohort.rounds[op.depth] += rounds;
  cohort.since = queue_.now();
  skipped_rounds_ = last_round_ ? rounds : 0;
  queue_.schedule(queue_.now() + Picoseconds{all}, Event::step_ends(cohorts_.add(cohort)));
}

/// The rounds that `cohort` has skipped are over.
void Execution::end_rounds(Cohort cohort, const Op& op) {
  const ActiveGroup& group = groups_[cohort.group];
  if (skipped_rounds_ > 0) {
    GDSIM_CHECK(last_round_.has_value(), "rounds were skipped like one that nobody saw");
    for (std::size_t i = 0; i < kTimeKinds; ++i)
      ledger_.book(cohort.part.core, group.kernel, static_cast<TimeKind>(i),
                   last_round_->spent.spent[i] * static_cast<Int128>(skipped_rounds_));
  } else {
    account_work(cohort, (queue_.now() - cohort.since).count);
  }
  skipped_rounds_ = 0;
  last_round_.reset();
  const bool is_over = cohort.rounds[op.depth] == op.count;
  if (is_over) cohort.rounds[op.depth] = 0;
  cohort.at = is_over ? cohort.at + 1 : op.target;
  enter(cohort);
}

}  // namespace gdsim
