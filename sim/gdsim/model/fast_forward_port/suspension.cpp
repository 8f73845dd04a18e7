#include <gdsim/model/fast_forward_port/suspension.hpp>

#include <gdsim/model/lifecycle/start_of_work.hpp>
#include <gdsim/model/steps/operation.hpp>
#include <gdsim/program/known_path.hpp>

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
  const SimTime booked = cohort.since;
  if (group.number != number) group.wave = Wave::later;
  group.number = number;
  prepare_group(state, cohort.group);
  cohort.factor = group.factor;
  cohort.serving_parity = group.serving_parity;
  cohort.step_progress = 0;
  const KnownPath path(*group.plan, group.amounts, cohort.factor);
  const KnownPath::Position position = path.position_at(static_cast<std::uint64_t>((state.now() - since).count));
  cohort.at = position.op;
  cohort.since = since + Duration{static_cast<std::int64_t>(position.begin)};
  for (const Op& op : group.plan->ops().first(cohort.at))
    if (op.kind == OpKind::barrier) state.barriers.of(cohort.group, op.barrier).skip_phases(1);
  // Some work-group was resident and executing all the time.
  state.time_use.book(cohort.on_core.core, group.kernel, TimeKind::executing, cohort.on_core.threads,
                      (cohort.since - booked).count);
  schedule_step_end(state, index, since + Duration{static_cast<std::int64_t>(position.end)});
}

}  // namespace gdsim
