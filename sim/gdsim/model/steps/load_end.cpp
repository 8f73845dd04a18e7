#include <gdsim/model/steps/load_end.hpp>

#include <gdsim/model/booking.hpp>
#include <gdsim/model/execute_until_blocked.hpp>

#include <algorithm>

namespace gdsim {
namespace {

/// Removes the cohorts that waited for the load, and merges equal ones.
void take_waiting(StepState& state, const Loads::Load& load, std::vector<CohortIndex>& continuing) {
  for (CohortIndex at = load.waiting; at != kNoCohort;) {
    Cohort& cohort = state.cohorts[at];
    const CohortIndex next = cohort.next;
    book_step(state, cohort, op_of(state, cohort), executed_waiting(load, cohort), load.limit);
    cohort.step_progress = 0;
    cohort.last_load = state.loads.if_outstanding(cohort.last_load);
    cohort.last_store = state.loads.if_outstanding(cohort.last_store);
    state.cohorts.merge_or_append(continuing, at);
    at = next;
  }
}

}  // namespace

std::int64_t executed_waiting(const Loads::Load& load, const Cohort& cohort) {
  return std::max<std::int64_t>((load.isolated_until - cohort.since).count, 0);
}

void end_load(StepState& state, CohortIndex index) {
  const Cohort request = state.cohorts[index];
  const LoadHandle load = request.last_load;
  state.cohorts.remove(index);
  if (request.store_of != 0) {
    const auto launch = static_cast<LaunchId>(request.store_of - 1);
    if (state.stores.end(state.now(), request.on_core.core, launch, request.on_core.threads))
      state.drained.push_back(launch);
  }
  if (load == LoadHandle()) return;
  std::vector<CohortIndex>& continuing = state.continuing;
  continuing.clear();
  state.loads.on_answer(load, [&](const Loads::Load& ended) { take_waiting(state, ended, continuing); });
  for (const CohortIndex cohort : continuing) {
    ++state.cohorts[cohort].at;
    execute_until_blocked(state, cohort);
  }
}

void continue_after_stores(StepState& state) {
  state.stores.visit_freed(state.now(), [&state](CohortIndex index) {
    Cohort& cohort = state.cohorts[index];
    book_step(state, cohort, op_of(state, cohort), 0, 0);
    ++cohort.at;
    execute_until_blocked(state, index);
  });
}

}  // namespace gdsim
