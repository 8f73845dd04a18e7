#include <gdsim/model/steps/step_end.hpp>

#include <gdsim/model/booking.hpp>
#include <gdsim/model/execute_until_blocked.hpp>
#include <gdsim/model/steps/clock_change.hpp>
#include <gdsim/model/steps/operation_catalog.hpp>
#include <gdsim/model/works.hpp>

#include <algorithm>

namespace gdsim {

namespace {

/// Ends the cohort's work on the resource in a step of several works. The step ends with the last of them.
void end_one_of_works(StepState& state, CohortIndex index, std::uint32_t resource) {
  Cohort& cohort = state.cohorts[index];
  const std::uint32_t op = served_op(state, cohort, resource);
  const auto waited = end_work(state, cohort, resource);
  if (!waited) return keep_done_work(state, index, op);
  std::int64_t own_time = 0;
  visit_works(op_of(state, cohort), cohort,
              [&](std::uint32_t work) { own_time = std::max(own_time, executed_of_done_work(state, index, work)); });
  book_time(state, cohort, *waited, (state.now() - cohort.since).count, own_time, 0);
  cohort.since = state.now();
  schedule_step_end(state, index, op_of(state, cohort), state.now());
}

/// Schedules the end of a store at this instant.
void end_served_store(StepState& state, const Served& served) {
  const Cohort& store = state.cohorts[served.cohort];
  if (state.loads.is_outstanding(store.last_load)) state.loads[store.last_load].limit = served.limit;
  state.events.schedule_now(Event::load_ends(served.cohort));
}

/// Ends the cohort's step and advances it to the next op.
Cohort& end_step(StepState& state, CohortIndex index) {
  Cohort& cohort = state.cohorts[index];
  book_end_of_step(state, cohort);
  ++cohort.at;
  cohort.step_progress = 0;
  return cohort;
}

}  // namespace

void end_steps(StepState& state, std::span<const Event> events) {
  if (events.size() == 1) {
    end_step(state, events.front().cohort());
    return execute_until_blocked(state, events.front().cohort());
  }
  std::vector<CohortIndex>& together = state.continuing;
  together.clear();
  std::vector<std::size_t>& last_of_group = state.last_continuing;
  if (last_of_group.size() < state.residents.size()) last_of_group.resize(state.residents.size(), 0);
  for (const Event& event : events) {
    Cohort& cohort = end_step(state, event.cohort());
    cohort.last_load = state.loads.if_outstanding(cohort.last_load);
    cohort.last_store = state.loads.if_outstanding(cohort.last_store);
    std::size_t& last = last_of_group[static_cast<std::size_t>(cohort.group)];
    const Cohort* before = last < together.size() ? &state.cohorts[together[last]] : nullptr;
    if (before != nullptr && before->is_alike(cohort)) {
      state.cohorts.merge(together[last], event.cohort());
    } else {
      last = together.size();
      together.push_back(event.cohort());
    }
  }
  for (const CohortIndex cohort : together) execute_until_blocked(state, cohort);
}

void end_shared_work(StepState& state, std::uint32_t resource) {
  for (const Served& served : state.resources.take_served(resource, state.now())) {
    Cohort& cohort = state.cohorts[served.cohort];
    if (cohort.store_of != 0) {
      end_served_store(state, served);
      continue;
    }
    const Op& op = op_of(state, cohort);
    const Executing executing = executing_of(op.kind);
    if (executing == Executing::by_works) {
      end_one_of_works(state, served.cohort, resource);
      continue;
    }
    if (executing == Executing::no_threads) {
      state.loads[cohort.last_load].limit = served.limit;
      state.events.schedule(state.now() + served.latency, Event::load_ends(served.cohort));
      continue;
    }
    const std::int64_t own_time =
        executing == Executing::by_rate ? served.executing : executed_of_all_work(state, served.cohort);
    book_step(state, cohort, op, own_time, served.limit);
    cohort.since = state.now();  // the remaining time in this op is the latency
    schedule_step_end(state, served.cohort, op, state.now() + served.latency);
  }
}

}  // namespace gdsim
