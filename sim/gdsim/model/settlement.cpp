#include <gdsim/model/settlement.hpp>

#include <gdsim/model/booking.hpp>
#include <gdsim/model/steps/clock_change.hpp>
#include <gdsim/model/steps/load_end.hpp>
#include <gdsim/model/steps/operation_catalog.hpp>
#include <gdsim/model/two_works.hpp>
#include <gdsim/workload/child_launches.hpp>

#include <algorithm>
#include <tuple>

namespace gdsim {
namespace {

void count_work_groups(ModelState& state) {
  std::vector<LaunchRecord>& records = state.launches.records();
  for (std::size_t i = 0; i < records.size(); ++i) {
    const Launch& launch = state.workload.launches[i];
    if (!launch.is_kernel()) continue;
    const auto id = static_cast<LaunchId>(i);
    records[i].groups_dispatched = state.dispatcher.progress().dispatched(id);
    records[i].groups_ended += state.launches.completions(id);
    // The completions of a launch count work-groups and children.
    if (launch.parent() != nullptr && records[i].ended) --records[index_of(launch.parent()->launch)].groups_ended;
  }
}

/// Returns the picoseconds that a cohort with two works has executed of the completed one, or 0 if neither is complete.
std::int64_t executed_of_first_work(const ModelState& state, CohortIndex index) {
  const auto op = done_work(state.cohorts[index]);
  return op ? executed_of_work(state, index, *op, 0) : 0;
}

/// Returns true if the reason delays launches that are ready, false if it delays their readiness.
bool is_after_ready(WaitReason reason) {
  return reason != WaitReason::host && reason != WaitReason::launch_latency && reason != WaitReason::predecessors &&
         reason != WaitReason::hardware_queue;
}

/// Books the remaining time of a launch between ready and fully dispatched as a wait for its turn.
void add_turns_of_others(LaunchRecord& record, SimTime now) {
  Duration booked{};
  for (const WaitReason reason : kWaitReasons)
    if (is_after_ready(reason)) booked = booked + record.waited[reason];
  record.waited.add(WaitReason::other_launches, record.fully_dispatched.value_or(now) - *record.ready - booked);
}

}  // namespace

void settle_launches(ModelState& state) {
  const SimTime now = state.now();
  state.dispatcher.accounts().settle_waits(now);
  state.launches.settle(now);
  std::vector<LaunchRecord>& records = state.launches.records();
  for (std::size_t i = 0; i < records.size(); ++i) {
    LaunchRecord& record = records[i];
    if (!state.workload.launches[i].is_kernel()) record.begun = record.first_dispatched;
    if (record.ready && state.dispatcher.accounts().are_kept())
      add_turns_of_others(record, state.launches.host_time(now));
  }
  count_work_groups(state);
}

std::vector<CoreTimeUse> finalize_time_use(ModelState& state) {
  const SimTime now = state.now();
  for (const GroupIndex index : state.residents.in_order())
    for (const HeldContexts::Held& held : state.held.of(index))
      book_wait(state, held.on_core, state.residents[index].kernel, TimeKind::held, held.since);
  std::vector<std::int64_t> executing(state.cohorts.size(), 0);
  for (const auto& [index, resource, left] : state.resources.work_left(now)) {
    std::int64_t& longest = executing[static_cast<std::size_t>(index)];
    longest = std::max(longest, executed_of_work(state, index, served_op(state, state.cohorts[index], resource), left));
  }
  std::vector<bool> is_served(state.cohorts.size(), false);  // true while the memory serves the cohort
  std::vector<MemoryLimit> limits(state.cohorts.size(), 0);
  for (const Served& served : state.resources.memory_served(now)) {
    executing[static_cast<std::size_t>(served.cohort)] = served.executing;
    limits[static_cast<std::size_t>(served.cohort)] = served.limit;
    is_served[static_cast<std::size_t>(served.cohort)] = true;
  }
  for (std::size_t i = 0; i < state.cohorts.size(); ++i) {
    const Cohort& cohort = state.cohorts[static_cast<CohortIndex>(i)];
    if (cohort.on_core.threads == 0) continue;
    const Op& op = state.programs.plan_of(state.residents[cohort.group]).op(cohort.at);
    switch (executing_of(op.kind)) {
      case Executing::no_threads: break;
      case Executing::by_load: {
        const Loads::Load& load = state.loads[state.loads.awaited(cohort.last_load, op.outstanding)];
        book_step(state, cohort, executed_waiting(load, cohort), load.limit);
        break;
      }
      case Executing::always: book_end_of_step(state, cohort); break;
      case Executing::by_two_works:
        book_time(state, cohort, waiting_in_two_works(cohort), (now - cohort.since).count,
                  std::max(executing[i], executed_of_first_work(state, static_cast<CohortIndex>(i))), 0);
        break;
      case Executing::by_rate:
        if (!is_served[i]) {
          book_end_of_step(state, cohort);
          break;
        }
        [[fallthrough]];
      case Executing::by_work:
      case Executing::never: book_step(state, cohort, executing[i], limits[i]); break;
    }
  }
  return state.time_use.take_uses();
}

std::vector<Cohort> waiting_at(const ModelState& state, GroupIndex group, std::uint32_t barrier) {
  std::vector<Cohort> all;
  for (CohortIndex at = state.barriers.of(group, barrier).waiting; at != kNoCohort; at = state.cohorts[at].next)
    all.push_back(state.cohorts[at]);
  std::sort(all.begin(), all.end(), [](const Cohort& a, const Cohort& b) {
    return std::tie(a.at, a.iterations, a.phase, a.on_core.threads) <
           std::tie(b.at, b.iterations, b.phase, b.on_core.threads);
  });
  return all;
}

}  // namespace gdsim
