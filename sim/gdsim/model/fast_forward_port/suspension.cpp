#include <gdsim/model/fast_forward_port/suspension.hpp>

#include <gdsim/model/steps/operation.hpp>
#include <gdsim/model/walk.hpp>

#include <cstddef>
#include <vector>

namespace gdsim {

void suspend(ModelState& state, std::span<const CohortIndex> cohorts) {
  std::vector<bool> is_suspended(state.cohorts.size(), false);
  for (const CohortIndex cohort : cohorts) is_suspended[static_cast<std::size_t>(cohort)] = true;
  state.events.erase_if([&](const Event& event) {
    return event.is_of_cohort() && is_suspended[static_cast<std::size_t>(event.cohort())];
  });
}

void resume_as(ModelState& state, CohortIndex index, WorkGroupId number, SimTime since) {
  Cohort& cohort = state.cohorts[index];
  ResidentGroup& group = state.residents[cohort.group];
  const ProgramPlan& plan = state.programs.plan_of(group);
  const SimTime booked = cohort.since;
  if (group.number != number) group.wave = Wave::later;
  group.number = number;
  prepare_group(state, cohort.group);
  cohort.factor = group.factor;
  cohort.phase = 0;
  cohort.since = since;
  for (cohort.at = 0;; ++cohort.at) {
    const Op& op = plan.op(cohort.at);
    if (op.kind == OpKind::barrier) state.barriers.of(cohort.group, op.barrier).skip_phases(1);
    if (op.kind != OpKind::compute) continue;
    const SimTime end = cohort.since + Duration{amount_of(state, cohort)};
    if (end > state.now()) break;
    cohort.since = end;
  }
  // Whichever work-groups were there: one was, and executed.
  state.time_use.book(cohort.part.core, group.kernel, TimeKind::executing, cohort.part.threads,
                      (cohort.since - booked).count);
  schedule_step_end(state, index, cohort.since + Duration{amount_of(state, cohort)});
}

}  // namespace gdsim
