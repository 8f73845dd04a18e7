#include <gdsim/model/model_state.hpp>

#include <gdsim/model/booking.hpp>
#include <gdsim/model/steps/operation.hpp>
#include <gdsim/model/steps/operations.hpp>
#include <gdsim/model/steps/step_end.hpp>

#include <algorithm>
#include <tuple>

namespace gdsim {

void log_wait(StepState& state, SimTime since, std::int64_t waited, std::uint32_t threads, WaitColumn column) {
  state.waits.add({since, state.now(), waited, threads, column});
}

namespace {

void count_work_groups(ModelState& state) {
  std::vector<LaunchRecord>& records = state.launches.records();
  for (std::size_t i = 0; i < records.size(); ++i) {
    const Launch& launch = state.workload.launches[i];
    if (!launch.is_kernel()) continue;
    const auto id = static_cast<LaunchId>(i);
    records[i].work_groups_dispatched = state.dispatching.progress().dispatched(id);
    records[i].work_groups_ended += state.launches.completions(id);
    // The completions of a launch count work-groups and children.
    if (launch.parent() != nullptr && records[i].ended) --records[index_of(launch.parent()->launch)].work_groups_ended;
  }
}

/// Returns the picoseconds that a cohort with several works has executed of the longest completed one; 0: none is.
std::int64_t executed_of_done_works(const ModelState& state, CohortIndex index) {
  std::int64_t longest = 0;
  visit_done_works(op_of(state, state.cohorts[index]), state.cohorts[index],
                   [&](std::uint32_t op) { longest = std::max(longest, executed_of_work(state, index, op, 0)); });
  return longest;
}

/// What a cohort in the middle of a step has got from shared resources.
struct StepProgress {
  std::int64_t executing = 0;  ///< picoseconds
  MemoryLimit limit = 0;
  bool is_served = false;  ///< by the memory, not yet completely
};

/// By cohort.
std::vector<StepProgress> progress_of_cohorts(const ModelState& state) {
  std::vector<StepProgress> progress(state.cohorts.size());
  for (const auto& [index, resource, left] : state.resources.work_left(state.now())) {
    std::int64_t& longest = progress[static_cast<std::size_t>(index)].executing;
    longest = std::max(longest, executed_of_work(state, index, served_op(state, state.cohorts[index], resource), left));
  }
  for (const Served& served : state.resources.memory_served(state.now()))
    progress[static_cast<std::size_t>(served.cohort)] = {served.executing, served.limit, true};
  return progress;
}

/// Books the time of the cohort's threads in their step so far.
void book_unfinished_step(ModelState& state, CohortIndex index, const StepProgress& progress) {
  const Cohort& cohort = state.cohorts[index];
  const Op& op = state.programs.plan_of(state.residents[cohort.group]).op(cohort.op);
  switch (executing_of(op.kind)) {
    case Executing::no_threads: return;
    case Executing::always: return book_end_of_step(state, cohort);
    case Executing::by_load: {
      const Loads::Load& load = state.loads[awaited_load(state, cohort, op)];
      return book_step(state, cohort, op, executed_waiting(load, cohort), load.limit);
    }
    case Executing::by_works: {
      const std::int64_t executing = std::max(progress.executing, executed_of_done_works(state, index));
      return book_time(state, cohort, waiting_in_works(state, cohort), (state.now() - cohort.since).count, executing,
                       0);
    }
    case Executing::by_rate:
      if (!progress.is_served) return book_end_of_step(state, cohort);
      return book_step(state, cohort, op, progress.executing, progress.limit);
    case Executing::by_work:
    case Executing::never: return book_step(state, cohort, op, progress.executing, progress.limit);
  }
}

/// The reason delays launches that are ready, not those that are not ready yet.
bool is_after_ready(WaitReason reason) {
  return reason != WaitReason::host && reason != WaitReason::launch_latency && reason != WaitReason::predecessors &&
         reason != WaitReason::hardware_queue;
}

/// Books the remaining time of a launch between ready and fully dispatched as a wait for other launches.
void add_turns_of_others(LaunchRecord& record, SimTime now) {
  Duration booked{};
  for (const WaitReason reason : kWaitReasons)
    if (is_after_ready(reason)) booked = booked + record.waited[reason];
  record.waited.add(WaitReason::other_launches, record.fully_dispatched.value_or(now) - *record.ready - booked);
}

}  // namespace

void settle_launches(ModelState& state) {
  const SimTime now = state.now();
  state.dispatching.accounts().settle_waits(now);
  state.launches.settle(now);
  std::vector<LaunchRecord>& records = state.launches.records();
  for (std::size_t i = 0; i < records.size(); ++i) {
    LaunchRecord& record = records[i];
    if (!state.workload.launches[i].is_kernel()) record.begun = record.first_dispatched;
    if (record.ready && state.dispatching.accounts().are_kept())
      add_turns_of_others(record, state.launches.host_time(now));
  }
  count_work_groups(state);
}

std::vector<CoreTimeUse> finalize_time_use(ModelState& state) {
  for (const GroupIndex index : state.residents.in_order())
    for (const HeldContexts::Held& held : state.held.held_by(index))
      book_wait(state, held.on_core, state.residents[index].kernel, Activity::held, held.since);
  const std::vector<StepProgress> progress = progress_of_cohorts(state);
  for (std::size_t i = 0; i < progress.size(); ++i)
    if (const auto index = static_cast<CohortIndex>(i);
        state.cohorts[index].on_core.threads > 0 && state.cohorts[index].store_of == 0)
      book_unfinished_step(state, index, progress[i]);
  return state.time_use.take_uses();
}

std::vector<std::vector<Int128>> traffic_by_kernel(const ModelState& state) {
  std::vector<std::vector<Int128>> traffic(state.workload.kernels.size());
  std::size_t plan = 0;
  for (std::size_t kernel = 0; kernel < traffic.size(); ++kernel)
    for (std::size_t i = 0; i < state.workload.kernels[kernel].program_count(); ++i, ++plan) {
      const std::vector<Int128> more = state.resources.traffic_of(plan);
      traffic[kernel].resize(std::max(traffic[kernel].size(), more.size()));
      for (std::size_t level = 0; level < more.size(); ++level) traffic[kernel][level] += more[level];
    }
  return traffic;
}

std::vector<Cohort> waiting_at(const ModelState& state, GroupIndex group, std::uint32_t barrier) {
  std::vector<Cohort> all;
  for (CohortIndex waiting = state.barriers.state_of(group, barrier).waiting; waiting != kNoCohort;
       waiting = state.cohorts[waiting].next)
    all.push_back(state.cohorts[waiting]);
  std::sort(all.begin(), all.end(), [](const Cohort& a, const Cohort& b) {
    return std::tie(a.op, a.iterations, a.step_progress, a.on_core.threads) <
           std::tie(b.op, b.iterations, b.step_progress, b.on_core.threads);
  });
  return all;
}

}  // namespace gdsim
