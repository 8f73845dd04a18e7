#include <gdsim/run/preemption/simulate_preempted.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/model/settlement.hpp>
#include <gdsim/run/balance.hpp>
#include <gdsim/run/deadlock.hpp>
#include <gdsim/run/preemption/preempted_run.hpp>
#include <gdsim/run/record_maker.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace gdsim {
namespace {

/// By core: the contexts that all processes held, in context-picoseconds.
std::vector<Int128> held_on_cores(const PreemptedRun& run) {
  std::vector<Int128> held;
  for (const auto& process : run.processes()) add_held(process->model().state(), process->own_time(), held);
  return held;
}

/// How threads of all processes used their time.
std::vector<CoreTimeUse> time_use_of(PreemptedRun& run) {
  std::map<std::pair<CoreId, KernelId>, TimeUse> sums;
  for (const auto& process : run.processes())
    for (const CoreTimeUse& core_use : finalize_time_use(process->model().state()))
      sums[{core_use.core, core_use.kernel}] += core_use.use;
  std::vector<CoreTimeUse> uses;
  for (const auto& [key, use] : sums) uses.push_back({key.first, key.second, use});
  return uses;
}

/// Returns the time from the first dispatch turn to the end. That turn takes place when the first launch arrives.
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
    for (const IdleUse& use : process->model().state().dispatching.accounts().take_idle(process->own_time())) {
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

/// With priorities there are no slices, and work-groups that run to their end are not saved.
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

RunResult simulate_preempted(const CompiledParts& parts, const InternalRunOptions& options) {
  RecordMaker maker(parts, options);
  PreemptedRun run(parts, options, maker.listeners());
  const RunEnd reason = run_to_end(run, options.bounds, options.stop);
  PreemptionRecord preemption = run.finish();
  RunRecord record = maker.record(outcome_of(run.is_done(), reason), run.now());
  record.preemption = std::move(preemption);
  record.preemption->unused_keys = unused_keys_of(parts.rules);
  const std::vector<Int128> held = held_on_cores(run);
  require_conservation(record.resident_time, held);
  if (run.is_done())
    for (const auto& process : run.processes()) require_empty(process->model().state());
  record.time_use = time_use_of(run);
  require_time_accounted(record.time_use, held);
  if (record.outcome == Outcome::deadlock) record.deadlock = deadlock_of(run);
  take_launches(run, *parts.workload, record);
  for (WaitSeries* series : options.wait_series) WaitSeriesWriter(*series).finish(record.end);
  maker.add_begin_and_path(run.graph(), record);
  if (options.accounts == KeepAccounts::yes) record.idle = idle_of(run, record, held);
  return maker.result(std::move(record), run.events());
}

}  // namespace gdsim
