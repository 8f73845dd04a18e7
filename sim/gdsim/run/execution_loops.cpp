#include <gdsim/run/execution.hpp>

// Rounds of a loop that take a fixed time pass at once, whoever else is resident.

namespace gdsim {
namespace {

/// The body is fixed times and meetings that cost nothing; no inner loop, whose rounds pass at once themselves.
bool is_fixed(const ProgramPlan& plan, const Op& loop_end, std::uint32_t at, std::uint32_t threads) {
  for (std::uint32_t i = loop_end.target; i < at; ++i) {
    const OpKind kind = plan.op(i).kind;
    const bool is_free_barrier = kind == OpKind::barrier && plan.barrier_cost(threads).count == 0;
    if (kind != OpKind::compute && !is_free_barrier) return false;
  }
  return true;
}

}  // namespace

/// `cohort` has done a round of the loop that ends at its op and has `left` rounds to go. If they can pass at once,
/// schedules their end and returns true. Whoever is missing may still be waited for.
bool Execution::skip_rounds(Cohort cohort, const Op& op, std::uint64_t left) {
  const ActiveGroup& group = groups_[cohort.group];
  const ProgramPlan& plan = plan_of(group);
  if (left < 2 || cohort.part.threads != group.threads || !is_fixed(plan, op, cohort.at, group.threads)) return false;
  Picoseconds round;
  for (std::uint32_t i = op.target; i < cohort.at; ++i)
    if (plan.op(i).kind == OpKind::compute) round = round + Picoseconds{amount_of(cohort, i)};
  if (round.count == 0) return false;
  for (std::uint32_t i = op.target; i < cohort.at; ++i) {
    if (plan.op(i).kind != OpKind::barrier) continue;
    Meeting& meeting = meetings_.of(cohort.group, plan.op(i).meeting);
    meeting.complete += left;
    meeting.open += left;
  }
  cohort.rounds[op.depth] += left;
  cohort.since = queue_.now();
  queue_.schedule(queue_.now() + (Shift{round, 0} * left).time, Event::step_ends(cohorts_.add(cohort)));
  return true;
}

/// The rounds that `cohort` has skipped are over.
void Execution::end_rounds(Cohort cohort, const Op& op) {
  account_work(cohort, (queue_.now() - cohort.since).count);
  cohort.rounds[op.depth] = 0;
  ++cohort.at;
  enter(cohort);
}

}  // namespace gdsim
