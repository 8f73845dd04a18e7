#include <gdsim/model/settlement.hpp>

#include <gdsim/model/operation_catalog.hpp>
#include <gdsim/model/step_end.hpp>
#include <gdsim/workload/child_launches.hpp>

#include <algorithm>
#include <numeric>
#include <tuple>

namespace gdsim {
namespace {

void count_work_groups(ModelState& state) {
  std::vector<LaunchRecord>& records = state.launches.records();
  for (std::size_t i = 0; i < records.size(); ++i) {
    const Launch& launch = state.workload.launches[i];
    if (launch.is_copy()) continue;
    const auto id = static_cast<LaunchId>(i);
    records[i].groups_dispatched = state.dispatcher.progress().next_number(id);
    records[i].groups_ended += state.launches.parts_ended(id);
    // The parts of a launch that have ended are work-groups and children.
    if (launch.parent() != nullptr && records[i].ended) --records[index_of(launch.parent()->launch)].groups_ended;
  }
}

}  // namespace

void settle_launches(ModelState& state) {
  const Picoseconds now = state.now();
  state.dispatcher.settle_waits(now);
  std::vector<LaunchRecord>& records = state.launches.records();
  for (std::size_t i = 0; i < records.size(); ++i) {
    LaunchRecord& record = records[i];
    const auto id = static_cast<LaunchId>(i);
    record.begun = state.workload.launches[i].is_copy() ? record.first_dispatched : state.dispatcher.begun(id);
    record.core_time = state.launches.core_time(id, now);
    record.resident_time = state.launches.resident_time(id, now);
    if (!record.ready) continue;
    const WaitTimes waited = state.dispatcher.waits().of(id);
    for (std::size_t reason = 0; reason < kWaitReasonCount; ++reason)
      record.waited[reason] = record.waited[reason] + waited[reason];
    const Picoseconds booked = std::accumulate(waited.begin(), waited.end(), Picoseconds{});
    record.waited_for(WaitReason::other_launches) = record.fully_dispatched.value_or(now) - *record.ready - booked;
  }
  count_work_groups(state);
}

std::vector<CoreTimeUse> settle_time_use(ModelState& state) {
  const Picoseconds now = state.now();
  for (const GroupIndex index : state.residents.in_order())
    for (const HeldContexts::Held& held : state.held.of(index))
      state.time_use.book(held.part.core, state.residents[index].kernel, TimeKind::held, held.part.threads,
                          (now - held.since).count);
  std::vector<std::int64_t> executing(state.cohorts.size(), 0);
  for (const auto& [cohort, left] : state.resources.work_left(now))
    executing[static_cast<std::size_t>(cohort)] = amount_of(state, state.cohorts[cohort]) - left;
  for (const auto& [cohort, served] : state.resources.memory_served(now))
    executing[static_cast<std::size_t>(cohort)] = served;
  for (std::size_t i = 0; i < state.cohorts.size(); ++i) {
    const Cohort& cohort = state.cohorts[static_cast<CohortIndex>(i)];
    if (cohort.part.threads == 0) continue;
    const OpKind kind = state.programs.plan_of(state.residents[cohort.group]).op(cohort.at).kind;
    const Executing executes = with_operation(kind, [](auto operation) { return operation.executing; });
    book_step(state, cohort, executes == Executing::always ? (now - cohort.since).count : executing[i]);
  }
  return state.time_use.uses();
}

std::vector<Cohort> waiting_at(const ModelState& state, GroupIndex group, std::uint32_t barrier) {
  std::vector<Cohort> all;
  for (CohortIndex at = state.barriers.of(group, barrier).waiting; at != kNoCohort; at = state.cohorts[at].next)
    all.push_back(state.cohorts[at]);
  std::sort(all.begin(), all.end(), [](const Cohort& a, const Cohort& b) {
    return std::tie(a.at, a.iterations, a.phase, a.part.threads) <
           std::tie(b.at, b.iterations, b.phase, b.part.threads);
  });
  return all;
}

}  // namespace gdsim
