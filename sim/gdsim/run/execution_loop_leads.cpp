#include <gdsim/base/check.hpp>
#include <gdsim/run/execution.hpp>

#include <algorithm>

// Who runs ahead in a loop: threads that come to a meeting more often, or wait there less often, than phases of it end.
// Their lead changes by as much in every period, and nobody notices while it is longer than a period needs.

namespace gdsim {
namespace {

bool comes(const Op& op) { return op.kind == OpKind::barrier || op.kind == OpKind::signal; }

/// It counts for the course: comings are counted apart from waits.
bool is_of(const Op& op, const LoopPeriod::Course& course) {
  return op.meeting == course.meeting && (course.waits ? op.kind == OpKind::wait : comes(op));
}

/// A lead that is so long now, gains and loses so much in every period, and is never to be shorter than `needed` when
/// one begins, that between the states included.
bool is_long_enough(std::uint64_t lead, std::uint64_t needed, std::uint64_t gains, std::uint64_t loses,
                    std::uint64_t& most) {
  if (lead < needed || lead + loses < needed + gains) return false;
  if (loses > gains) most = std::min(most, (lead - needed) / (loses - gains));
  return true;
}

}  // namespace

/// At what meetings of its loop the cohort is, and how often.
std::vector<LoopPeriod::Course> Execution::courses_of(const LoopPeriod::Advance& advance) const {
  const Cohort& cohort = cohorts_[advance.cohort];
  const ProgramPlan& plan = plan_of(groups_[cohort.group]);
  const std::uint32_t end = loop_end_around(plan, cohort.at, advance.depth);
  std::vector<LoopPeriod::Course> courses;
  for (std::uint32_t i = plan.op(end).target; i < end; ++i) {
    const Op& op = plan.op(i);
    if (!comes(op) && op.kind != OpKind::wait) continue;
    auto course = std::find_if(courses.begin(), courses.end(), [&](const auto& other) { return is_of(op, other); });
    if (course == courses.end()) {
      LoopPeriod::Course found{cohort.group, op.meeting, op.kind == OpKind::wait, false, cohort.part.threads, 0, 0};
      found.done = times_done(cohort, found);
      found.more = advance.rounds * op.per_round[advance.depth];
      course = courses.insert(course, found);
    }
    course->has_barrier = course->has_barrier || op.kind == OpKind::barrier;
  }
  return courses;
}

/// How often the cohort, in a loop in which it does, has done so up to now: read off the next time, or off the end of
/// a round.
std::uint64_t Execution::times_done(const Cohort& cohort, const LoopPeriod::Course& course) const {
  const ProgramPlan& plan = plan_of(groups_[cohort.group]);
  Cohort then = cohort;
  if (plan.op(cohort.at).kind == OpKind::barrier) ++then.at;  // who is at one has come
  if (plan.op(cohort.at).kind == OpKind::loop_end) then.at = plan.op(cohort.at).target;
  for (std::uint32_t at = then.at;; ++at) {
    const Op& op = plan.op(at);
    if (is_of(op, course)) return number_of_meeting(then, op) - 1;
    if (op.kind != OpKind::loop_end || op.target > then.at) continue;
    for (std::uint32_t i = op.target; i < at; ++i)
      if (is_of(plan.op(i), course)) return number_of_meeting(then, plan.op(i)) - 1 + plan.op(i).per_round[op.depth];
    then.rounds[op.depth] = 0;
  }
}

/// Whoever comes to a meeting does so as often as its phases end, or is far enough ahead of those who do; whoever waits
/// finds open what he waits for. Nobody who stands still may be woken.
bool Execution::leads_fit(const std::vector<bool>& stands, LoopPeriod& period) const {
  for (const LoopPeriod::Advance& advance : period.advances)
    for (const LoopPeriod::Course& course : courses_of(advance)) period.courses.push_back(course);
  period.sort_courses();
  for (std::uint32_t i = 0; i < groups_.size(); ++i) {
    if (groups_[GroupIndex{i}].threads == 0) continue;
    for (std::uint32_t meeting = 0; meeting < plan_of(groups_[GroupIndex{i}]).meetings(); ++meeting)
      if (!leads_fit_at(GroupIndex{i}, meeting, period)) return false;
  }
  for (std::size_t i = 0; i < stands.size(); ++i) {
    if (!stands[i]) continue;
    const Cohort& cohort = cohorts_[static_cast<CohortIndex>(i)];
    const Op& op = plan_of(groups_[cohort.group]).op(cohort.at);
    const bool waits = op.kind == OpKind::barrier || op.kind == OpKind::wait || op.kind == OpKind::launch;
    if (waits && period.phases_of(cohort.group, op.meeting) > 0) return false;
  }
  return true;
}

bool Execution::leads_fit_at(GroupIndex group, std::uint32_t number, LoopPeriod& period) const {
  const Meeting& meeting = meetings_.of(group, number);
  const std::uint64_t phases = period.phases_of(group, number);
  std::uint64_t coming = 0;
  for (const LoopPeriod::Course& course : period.courses_at(group, number)) {
    if (!course.waits) coming += course.threads;
    if (course.more == phases) continue;
    if (course.has_barrier) return false;
    const std::uint64_t lead = course.waits ? meeting.open - course.done : course.done - meeting.complete;
    const bool fits = course.waits ? course.done <= meeting.open &&
                                         is_long_enough(lead, course.more, phases, course.more, period.most)
                                   : is_long_enough(lead, phases, course.more, phases, period.most);
    if (!fits) return false;
  }
  if (phases == 0 || coming == meeting.participants) return true;
  // Others come there, but not now.
  const Meeting::Comings rest = comings_after(group, number, period, std::nullopt);
  return is_long_enough(rest.begin()->first - meeting.complete, phases, 0, phases, period.most);
}

/// How many threads will have come to the meeting how often when so many more periods have passed; if none are given,
/// without those who come in each.
Meeting::Comings Execution::comings_after(GroupIndex group, std::uint32_t meeting, const LoopPeriod& period,
                                          std::optional<std::uint64_t> periods) const {
  Meeting::Comings comings = meetings_.of(group, meeting).comings();
  for (const LoopPeriod::Course& course : period.courses_at(group, meeting)) {
    if (course.waits) continue;
    const auto then = comings.find(course.done);
    GDSIM_CHECK(then != comings.end() && then->second >= course.threads, "threads came to a meeting unseen");
    then->second -= course.threads;
    if (then->second == 0) comings.erase(then);
    if (periods) comings[course.done + *periods * course.more] += course.threads;
  }
  return comings;
}

void Execution::pass_meetings_of(GroupIndex group, const LoopPeriod& period, std::uint64_t count) {
  for (std::uint32_t i = 0; i < plan_of(groups_[group]).meetings(); ++i) {
    Meeting& meeting = meetings_.of(group, i);
    const std::uint64_t phases = count * period.phases_of(group, i);
    meeting.open += phases;
    if (period.courses_at(group, i).empty()) continue;
    const std::uint64_t complete = meeting.complete + phases;
    meeting.set_comings(comings_after(group, i, period, count));
    GDSIM_CHECK(meeting.complete == complete, "not all have come to a phase that is over");
  }
}

}  // namespace gdsim
