#include <gdsim/model/model_state.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/model/booking.hpp>
#include <gdsim/model/lifecycle/residents.hpp>
#include <gdsim/model/steps/operation.hpp>
#include <gdsim/model/steps/operations.hpp>
#include <gdsim/model/steps/step_end.hpp>
#include <gdsim/program/work_amounts.hpp>

#include <algorithm>
#include <tuple>

namespace gdsim {

GroupIndex Residents::open(const Grant& grant, KernelId kernel, Bytes slm) {
  ResidentGroup opened;
  opened.launch = grant.launch;
  opened.kernel = kernel;
  opened.number = grant.work_group;
  opened.core = grant.core;
  opened.threads = grant.group_threads;
  opened.first_context = grant.first_context;
  opened.slm = slm;
  const GroupIndex index = groups_.add(opened);
  filling_[index_of(grant.core)] = index;
  return index;
}

void Residents::add_core(const Grant& grant) {
  const GroupIndex group = filling(grant.first_core);
  const auto index = static_cast<std::size_t>(group);
  if (more_cores_.size() <= index) more_cores_.resize(index + 1);
  more_cores_[index].push_back(grant.core);
  filling_[index_of(grant.core)] = group;
}

void Residents::close(GroupIndex index) {
  groups_[index].threads = 0;
  if (const auto i = static_cast<std::size_t>(index); i < more_cores_.size()) more_cores_[i].clear();
  groups_.remove(index);
}

std::span<const CoreId> Residents::more_cores(GroupIndex group) const {
  const auto index = static_cast<std::size_t>(group);
  return index < more_cores_.size() ? std::span<const CoreId>(more_cores_[index]) : std::span<const CoreId>();
}

std::vector<GroupIndex> Residents::in_order() const {
  std::vector<GroupIndex> resident;
  std::uint32_t index = 0;
  for (const ResidentGroup& group : groups_) {
    if (group.threads > 0) resident.push_back(GroupIndex{index});
    ++index;
  }
  std::sort(resident.begin(), resident.end(), [this](GroupIndex a, GroupIndex b) {
    return std::tie(groups_[a].launch, groups_[a].number) < std::tie(groups_[b].launch, groups_[b].number);
  });
  return resident;
}

namespace {

/// Engines are distinguished if a thread of some kernel needs more than one context of its engine, or its issue slots.
EngineDetail engine_detail(const ModelInput& input) {
  const auto& kernels = input.workload.kernels;
  for (std::size_t i = 0; i < kernels.size(); ++i)
    if (input.footprints.full(static_cast<KernelId>(i)).thread != EngineNeed{} ||
        has_step<IssueSlots>(kernels[i].program))
      return EngineDetail::each;
  return EngineDetail::none;
}

/// Returns the recovery times by clock, of work-groups that drain their stores for `drain`.
std::vector<Duration> recovery_times(const ClockSchedule& clocks, const DispatchRules& rules, const StepTime& drain) {
  std::vector<Duration> times(clocks.count());
  for (std::size_t i = 0; i < times.size(); ++i)
    for (const StepTime& part : {rules.recovery.value_or(StepTime{}), drain}) {
      const auto time = resolve(part, clocks.clock(i), Decimal::whole(1));
      GDSIM_CHECK(time.has_value(), "an invalid recovery passed the checks of the device");
      times[i] = times[i] + *time;
    }
  return times;
}

/// Returns the times for which a `fence` waits for stores that have ended, by clock.
std::vector<Duration> acknowledgement_times(const ClockSchedule& clocks, const DeviceSpec& device) {
  std::vector<Duration> times(clocks.count());
  if (const auto latency = fence_latency(device))
    for (std::size_t i = 0; i < times.size(); ++i) {
      const auto time = resolve(*latency, clocks.clock(i), Decimal::whole(1));
      GDSIM_CHECK(time.has_value(), "an invalid latency passed the checks of the device");
      times[i] = *time;
    }
  return times;
}

StepTime store_drain(const DeviceSpec& device) { return device.memory ? device.memory->store_drain : StepTime{}; }

}  // namespace

ModelState::ModelState(const ModelInput& input)
    : StepState(input),
      launches(input.workload, input.foreign_launches),
      arrivals(input.device, input.workload, input.graph, input.host_has_own_time ? host_events : events,
               launches.records()),
      copies(input.device.copy, input.workload.launches, input.host_has_own_time ? host_events : events),
      bank{std::vector<Core>(input.device.cores, Core(input.device, engine_detail(input))), engine_sets},
      dispatching({input.device, input.rules, input.workload, input.footprints, input.make_placement}, bank,
                  launches.records(), input.keep_accounts),
      recoveries(clocks, recovery_times(clocks, input.rules, {})),
      recoveries_with_stores(clocks, recovery_times(clocks, input.rules, store_drain(input.device))),
      acknowledgement(acknowledgement_times(clocks, input.device)),
      faults(input.faults) {
  dispatching.accounts().log_waits_to(waits);
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
      return book_step(state, cohort, op, isolated_wait(load, cohort), load.limit);
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
