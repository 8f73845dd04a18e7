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

SimTime stand_at(Cohort& cohort, const KnownPath& path, SimTime start, SimTime passed) {
  const KnownPath::Position position = path.position_at((passed - start).count);
  cohort.at = position.op;
  cohort.since = start + Duration{static_cast<std::int64_t>(position.begin)};
  return start + Duration{static_cast<std::int64_t>(position.end)};
}

void resume_as(ModelState& state, CohortIndex index, WorkGroupId number, SimTime since) {
  Cohort& cohort = state.cohorts[index];
  ResidentGroup& group = state.residents[cohort.group];
  const SimTime booked = cohort.since;
  if (group.number != number) group.wave = Wave::later;
  group.number = number;
  prepare_group(state, cohort.group);
  cohort.factor = group.factor;
  cohort.phase = 0;
  const SimTime end = stand_at(cohort, {*group.plan, group.amounts, cohort.factor}, since, state.now());
  for (const Op& op : group.plan->ops().first(cohort.at))
    if (op.kind == OpKind::barrier) state.barriers.of(cohort.group, op.barrier).skip_phases(1);
  // Whichever work-groups were there: one was, and executed.
  state.time_use.book(cohort.part.core, group.kernel, TimeKind::executing, cohort.part.threads,
                      (cohort.since - booked).count);
  schedule_step_end(state, index, end);
}

}  // namespace gdsim
