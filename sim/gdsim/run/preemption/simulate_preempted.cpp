#include <gdsim/run/preemption/simulate_preempted.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/model/lifecycle/end_of_work.hpp>
#include <gdsim/model/settlement.hpp>
#include <gdsim/record/recorder.hpp>
#include <gdsim/run/critical_path.hpp>
#include <gdsim/run/deadlock.hpp>
#include <gdsim/run/preemption/preempted_run.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

namespace gdsim {
namespace {

/// Returns, by core, the contexts that all processes held, in context-picoseconds.
std::vector<Int128> held_on_cores(const PreemptedRun& run, std::uint32_t cores) {
  std::vector<Int128> held(cores, 0);
  for (const auto& process : run.processes())
    for (std::uint32_t core = 0; core < cores; ++core)
      held[core] += process->model().state().bank.cores[core].context_time(process->own_time());
  return held;
}

/// Returns the time use of all processes' threads. Each core's sum equals the time for which they held its contexts.
std::vector<CoreTimeUse> time_use_of(PreemptedRun& run, const std::vector<Int128>& held) {
  std::map<std::pair<CoreId, KernelId>, TimeUse> sums;
  for (const auto& process : run.processes())
    for (const CoreTimeUse& one : finalize_time_use(process->model().state())) sums[{one.core, one.kernel}] += one.use;
  std::vector<Int128> accounted(held.size(), 0);
  std::vector<CoreTimeUse> uses;
  for (const auto& [key, use] : sums) {
    uses.push_back({key.first, key.second, use});
    accounted[index_of(key.first)] += use.sum();
  }
  GDSIM_CHECK(accounted == held, "the time of threads of preempted processes is not accounted for");
  return uses;
}

/// Returns the time from the first dispatch pass to the end. That pass takes place when the first launch arrives.
Duration dispatching(const RunRecord& record) {
  SimTime first = record.end;
  for (const LaunchRecord& launch : record.launches) first = std::min(first, launch.ready.value_or(first));
  return record.end - first;
}

/// Returns the free contexts of all processes while they had the device. In the rest of the run, contexts are free for
/// other launches.
IdleUses idle_of(PreemptedRun& run, const RunRecord& record, const std::vector<Int128>& held) {
  using Key = std::pair<std::optional<KernelId>, std::optional<WaitReason>>;
  const Int128 whole = Int128{dispatching(record).count} * static_cast<Int128>(record.contexts_per_core);
  std::vector<Int128> rest(held.size(), whole);
  for (std::size_t core = 0; core < held.size(); ++core) rest[core] -= held[core];
  std::map<Key, std::vector<Int128>> sums;
  const auto sum_of = [&](const Key& key) -> std::vector<Int128>& {
    return sums.try_emplace(key, held.size(), Int128{0}).first->second;
  };
  for (const auto& process : run.processes())
    for (const IdleUse& use : process->model().state().dispatcher.accounts().take_idle(process->own_time())) {
      sum_of({use.kernel, use.reason})[index_of(use.core)] += use.context_time;
      rest[index_of(use.core)] -= use.context_time;
    }
  const bool is_sound = std::all_of(rest.begin(), rest.end(), [](Int128 time) { return time >= 0; });
  GDSIM_CHECK(is_sound, "contexts of preempted processes were free for longer than the run lasted");
  std::vector<Int128>& switching = sum_of({std::nullopt, WaitReason::other_launches});
  for (std::size_t core = 0; core < held.size(); ++core) switching[core] += rest[core];
  std::vector<IdleUses::Row> rows;
  for (auto& [key, times] : sums) rows.push_back({key.first, key.second, std::move(times)});
  return IdleUses(std::move(rows));
}

/// Returns the deadlock of all processes, from the launches of each.
Deadlock deadlock_of(const PreemptedRun& run) {
  Deadlock all;
  for (std::uint32_t i = 0; i < run.processes().size(); ++i) {
    const Process& process = *run.processes()[i];
    if (process.is_done()) continue;
    Deadlock one = diagnose_deadlock(process.model().state());
    all.groups.insert(all.groups.end(), one.groups.begin(), one.groups.end());
    for (const DeadlockedLaunch& launch : one.launches)
      if (run.names().of(launch.launch) == i) all.launches.push_back(launch);
    if (all.cycle.empty()) all.cycle = one.cycle;
    if (all.launch_cycle.empty()) all.launch_cycle = one.launch_cycle;
  }
  return all;
}

/// Takes the record of each launch from its process.
void take_launches(PreemptedRun& run, const Workload& workload, RunRecord& record) {
  const std::size_t count = workload.launches.size();
  record.launches.resize(count);
  for (std::uint32_t i = 0; i < run.processes().size(); ++i) {
    ModelState& state = run.processes()[i]->model().state();
    settle_launches(state);
    std::vector<LaunchRecord> launches = state.launches.take_records();
    const std::vector<OptionalTime> triggered = state.arrivals.take_triggered();
    const std::vector<Duration> batched = state.arrivals.take_batched();
    if (!triggered.empty()) record.triggered.resize(count);
    if (!batched.empty()) record.batched.resize(count);
    for (std::size_t launch = 0; launch < count; ++launch) {
      if (run.names().of_launches[launch] != i) continue;
      record.launches[launch] = std::move(launches[launch]);
      if (!triggered.empty()) record.triggered[launch] = triggered[launch];
      if (!batched.empty()) record.batched[launch] = batched[launch];
    }
  }
}

void require_empty(PreemptedRun& run) {
  for (const auto& process : run.processes()) {
    end_recoveries(process->model().state(), SimTime{std::numeric_limits<std::int64_t>::max()});
    for (const Core& core : process->model().state().bank.cores)
      GDSIM_CHECK(core.is_empty(), "a core holds something of a preempted process after the last end");
  }
}

Outcome outcome_of(const PreemptedRun& run, RunEnd reason) {
  if (run.is_done()) return Outcome::completed;
  if (reason == RunEnd::nothing_pending) return Outcome::deadlock;
  return reason == RunEnd::stop_requested ? Outcome::interrupted : Outcome::bounded;
}

/// Returns the part of the record that follows from the workload and the recorder.
RunRecord record_of(const CompiledParts& parts, const PreemptedRun& run, Recorder& recorder, RunEnd reason) {
  RunRecord record;
  record.outcome = outcome_of(run, reason);
  record.end = run.now();
  record.start = recorder.start().value_or(record.end);
  record.contexts_total = parts.device.contexts_total();
  record.contexts_per_core = parts.device.contexts_per_core();
  for (const Launch& launch : parts.workload->launches) {
    const Kernel& kernel = parts.workload->kernel_of(launch);
    record.threads_total += kernel.threads_total();
    record.work_groups_total += kernel.range.group_count();
  }
  record.peak_resident = recorder.peak_resident();
  record.resident_time = recorder.resident_time(record.end);
  record.core_time = recorder.core_time(record.end);
  record.phases = recorder.finish_phases(record.end);
  return record;
}

/// Returns the unused keys: priorities have no slices, and work-groups that run to their end are not saved.
std::vector<std::string> unused_keys_of(const DispatchRules& rules) {
  std::vector<std::string> keys;
  const PreemptionRule& rule = *rules.preemption;
  const auto costs = [](const ContextMove& move) {
    return !move.per_work_group.amount.is_zero() || move.moves != ContextBytes::none;
  };
  if (rule.of == PreemptionOf::work_group && costs(rule.save)) keys.emplace_back("save");
  if (rule.of == PreemptionOf::work_group && costs(rule.restore)) keys.emplace_back("restore");
  if (rules.kernel_choice == KernelChoice::priority && rule.quantum) keys.emplace_back("quantum");
  return keys;
}

}  // namespace

RunResult simulate_preempted(const CompiledParts& parts, const SwitchedRunOptions& options) {
  GDSIM_CHECK(!options.copied_at, "a run of several processes is not copied");
  Recorder recorder(parts.device.cores, PhaseRules{options.min_phase, parts.device.contexts_total()},
                    options.keep_timeline);
  std::vector<Observer*> observers{&recorder};
  observers.insert(observers.end(), options.observers.begin(), options.observers.end());
  PreemptedRun run(parts, options, observers);
  const RunEnd reason = run.drive();
  PreemptionRecord preemption = run.finish();
  RunRecord record = record_of(parts, run, recorder, reason);
  record.preemption = std::move(preemption);
  record.preemption->unused_keys = unused_keys_of(parts.rules);
  const std::vector<Int128> held = held_on_cores(run, parts.device.cores);
  GDSIM_CHECK(std::accumulate(held.begin(), held.end(), Int128{0}) == record.resident_time,
              "conservation is violated: preempted processes held other contexts than the timeline shows");
  if (run.is_done()) require_empty(run);
  record.time_use = time_use_of(run, held);
  if (record.outcome == Outcome::deadlock) record.deadlock = deadlock_of(run);
  take_launches(run, *parts.workload, record);
  for (WaitSeries* series : options.wait_series) series->finish(record.end);
  record.begun = record.start;
  for (const LaunchRecord& launch : record.launches)
    if (launch.begun) record.begun = std::min(record.begun, *launch.begun);
  if (record.outcome == Outcome::completed) find_critical_path(parts.device, *parts.workload, run.graph(), record);
  if (options.accounts == KeepAccounts::yes) record.idle = idle_of(run, record, held);
  return {std::move(record), recorder.take_timeline(), recorder.take_resident(run.now()), run.events(), {}};
}

}  // namespace gdsim
