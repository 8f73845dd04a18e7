#include <gdsim/model/load_end.hpp>

#include <gdsim/model/booking.hpp>
#include <gdsim/model/walk.hpp>

#include <algorithm>

namespace gdsim {
namespace {

/// Cohorts that waited for the load are merged where they are alike.
void take_waiting(ModelState& state, const Loads::Load& load, std::vector<Cohort>& continuing) {
  for (CohortIndex at = load.waiting; at != kNoCohort;) {
    Cohort cohort = state.cohorts[at];
    const CohortIndex next = cohort.next;
    book_step(state, cohort, executed_waiting(load, cohort), load.limit);
    state.cohorts.remove(at);
    cohort.phase = 0;
    cohort.last_load = state.loads.if_outstanding(cohort.last_load);
    const auto alike = std::find_if(continuing.begin(), continuing.end(), [&](const Cohort& other) {
      return other.group == cohort.group && other.is_alike(cohort);
    });
    if (alike == continuing.end()) {
      continuing.push_back(cohort);
    } else {
      state.cohorts.merge(*alike, cohort);
    }
    at = next;
  }
}

}  // namespace

std::int64_t executed_waiting(const Loads::Load& load, const Cohort& cohort) {
  return std::max<std::int64_t>((load.isolated_until - cohort.since).count, 0);
}

void end_load(ModelState& state, CohortIndex index) {
  const LoadHandle load = state.cohorts[index].last_load;
  state.cohorts.remove(index);
  std::vector<Cohort>& continuing = state.continuing;
  continuing.clear();
  state.loads.on_answer(load, [&](const Loads::Load& ended) { take_waiting(state, ended, continuing); });
  for (Cohort& cohort : continuing) {
    ++cohort.at;
    walk(state, cohort);
  }
}

}  // namespace gdsim
