#include <gdsim/model/barrier_open.hpp>

#include <gdsim/model/booking.hpp>
#include <gdsim/model/walk.hpp>

#include <algorithm>

namespace gdsim {

void open_barrier(ModelState& state, GroupIndex index, std::uint32_t number) {
  const ResidentGroup& group = state.residents[index];
  BarrierState& barrier = state.barriers.of(index, number);
  ++barrier.open;
  std::vector<Cohort>& continuing = state.continuing;
  continuing.clear();
  const TimeKind waited = state.programs.plan_of(group).is_of_child(number) ? TimeKind::child : TimeKind::barrier;
  CohortIndex left = kNoCohort;
  for (CohortIndex at = barrier.waiting; at != kNoCohort;) {
    Cohort& cohort = state.cohorts[at];
    const CohortIndex next = cohort.next;
    if (cohort.phase > barrier.open) {
      cohort.next = left;
      left = at;
    } else {
      book_wait(state, cohort.part, group.kernel, waited, cohort.since);
      cohort.last_load = state.loads.if_outstanding(cohort.last_load);
      const auto alike =
          std::find_if(continuing.begin(), continuing.end(), [&](const Cohort& other) { return cohort.is_alike(other); });
      if (alike == continuing.end()) {
        continuing.push_back(cohort);
      } else {
        state.cohorts.merge(*alike, cohort);
      }
      state.cohorts.remove(at);
    }
    at = next;
  }
  barrier.waiting = left;
  // Walking on may lead to this barrier again, but opens it only at a later event.
  for (Cohort& cohort : continuing) {
    add_fact(state.facts, FactKind::resumed, group, cohort.part);
    ++cohort.at;
    walk(state, cohort);
  }
}

void open_child_barrier(ModelState& state, LaunchId child) {
  const auto parent = state.children.waiting_parent(child);
  if (!parent) return;
  const ProgramPlan& plan = state.programs.plan_of(state.residents[*parent]);
  const std::uint32_t barrier = plan.barrier_of_child(state.workload.launches[index_of(child)].parent()->child);
  state.events.schedule(state.now(), Event::barrier_opens(*parent, barrier));
}

}  // namespace gdsim
