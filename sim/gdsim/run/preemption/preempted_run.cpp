#include <gdsim/run/preemption/preempted_run.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/model/model_state.hpp>
#include <gdsim/run/drive.hpp>
#include <gdsim/run/internal_run_options.hpp>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace gdsim {
namespace {

/// Returns the graph with a host for each process. No launch waits for a launch of another process, and none starts
/// behind one.
LaunchGraph graph_by_process(const LaunchGraph& whole, const ProcessAssignment& assignment) {
  LaunchGraph graph = whole;
  std::stable_sort(graph.host_order.begin(), graph.host_order.end(),
                   [&](LaunchId a, LaunchId b) { return assignment.process_of(a) < assignment.process_of(b); });
  return graph;
}

/// Returns, by process, the graph of its own launches.
std::vector<LaunchGraph> graphs_of(const LaunchGraph& all, const ProcessAssignment& assignment) {
  std::vector<LaunchGraph> graphs;
  for (std::uint32_t i = 0; i < assignment.count(); ++i) {
    LaunchGraph& process_graph = graphs.emplace_back(all);
    std::erase_if(process_graph.host_order, [&](LaunchId launch) { return assignment.process_of(launch) != i; });
  }
  return graphs;
}

/// The input of one process, whose launches are those of `graph`. The host has a time of its own.
ModelInput input_of_process(const CompiledParts& parts, const InternalRunOptions& options, const LaunchGraph& graph) {
  const ModelInput whole = input_of(parts, options.seed_offset, options.faults, options.wait_series, options.accounts);
  return {.device = whole.device,
          .rules = whole.rules,
          .workload = whole.workload,
          .plans = whole.plans,
          .graph = graph,
          .footprints = whole.footprints,
          .make_placement = whole.make_placement,
          .seed_offset = whole.seed_offset,
          .faults = whole.faults,
          .wait_series = whole.wait_series,
          .host_has_own_time = true,
          .keep_accounts = whole.keep_accounts};
}

std::vector<std::unique_ptr<Process>> make_processes(const CompiledParts& parts, const InternalRunOptions& options,
                                                     const ProcessAssignment& assignment,
                                                     const std::vector<LaunchGraph>& graphs) {
  std::vector<std::unique_ptr<Process>> processes;
  for (std::uint32_t i = 0; i < assignment.count(); ++i) {
    ModelInput input = input_of_process(parts, options, graphs[i]);
    const auto is_foreign = [i](std::uint32_t process) { return process != i; };
    input.foreign_launches = static_cast<std::size_t>(
        std::count_if(assignment.of_launches.begin(), assignment.of_launches.end(), is_foreign));
    processes.push_back(std::make_unique<Process>(std::move(input)));
  }
  return processes;
}

}  // namespace

PreemptedRun::PreemptedRun(const CompiledParts& parts, const InternalRunOptions& options, Listeners& listeners)
    : options_(options),
      assignment_(assign_processes(*parts.workload, parts.rules)),
      graph_(graph_by_process(parts.graph, assignment_)),
      graphs_(graphs_of(graph_, assignment_)),
      processes_(make_processes(parts, options, assignment_, graphs_)),
      scheduler_(parts, processes_, assignment_),
      listeners_(listeners) {
  scheduler_.begin();
}

bool PreemptedRun::is_done() const {
  return std::all_of(processes_.begin(), processes_.end(), [](const auto& process) { return process->is_done(); });
}

std::uint64_t PreemptedRun::events() const {
  std::uint64_t sum = switches_;
  for (const auto& process : processes_) sum += process->model().events();
  return sum;
}

std::optional<SimTime> PreemptedRun::next_time() const {
  std::optional<SimTime> next;
  const auto take = [&next](std::optional<SimTime> time) {
    if (time) next = next ? std::min(*next, *time) : *time;
  };
  for (const auto& process : processes_) take(process->next_time());
  // Processes without pending work must not switch for ever: one of them has deadlocked.
  const bool can_go_on = next || std::any_of(processes_.begin(), processes_.end(), [](const auto& process) {
                           return !process->has_device() && !process->is_done() && process->has_pending_work();
                         });
  if (can_go_on) take(scheduler_.next_time(now_));
  return next;
}

void PreemptedRun::run_processes(SimTime at) {
  for (const auto& process : processes_) {
    while (process->next_time() == at) {
      process->run_instant(at);
      facts_.insert(facts_.end(), process->facts().begin(), process->facts().end());
      launch_facts_.insert(launch_facts_.end(), process->launch_facts().begin(), process->launch_facts().end());
      copy_began_ = copy_began_ || process->copy_began();
    }
  }
}

void PreemptedRun::run_instant(SimTime at) {
  facts_.clear();
  launch_facts_.clear();
  copy_began_ = false;
  scheduler_.account(at);
  now_ = at;
  run_processes(at);
  for (; scheduler_.decide(at, facts_); ++switches_) run_processes(at);
  report();
}

void PreemptedRun::report() {
  const bool begins = copy_began_ && !has_begun_;
  if (facts_.empty() && launch_facts_.empty() && !begins) return;
  if (!has_begun_)
    for (WaitSeries* series : options_.wait_series) WaitSeriesWriter(*series).start(now_);
  has_begun_ = true;
  std::sort(launch_facts_.begin(), launch_facts_.end(), [](const LaunchFact& a, const LaunchFact& b) {
    return std::tuple(b.kind, a.launch) < std::tuple(a.kind, b.launch);
  });
  listeners_.instant(now_, facts_, launch_facts_);
}

bool PreemptedRun::advance() {
  const auto next = next_time();
  if (!next) return false;
  run_instant(options_.bounds.time ? std::min(*next, *options_.bounds.time) : *next);
  return true;
}

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
  Deadlock combined;
  for (std::uint32_t i = 0; i < run.processes().size(); ++i) {
    const Process& process = *run.processes()[i];
    if (process.is_done()) continue;
    Deadlock deadlock = diagnose_deadlock(process.model().state());
    combined.groups.insert(combined.groups.end(), deadlock.groups.begin(), deadlock.groups.end());
    for (const DeadlockedLaunch& launch : deadlock.launches)
      if (run.assignment().process_of(launch.launch) == i) combined.launches.push_back(launch);
    if (combined.cycle.empty()) combined.cycle = deadlock.cycle;
    if (combined.launch_cycle.empty()) combined.launch_cycle = deadlock.launch_cycle;
  }
  return combined;
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
      if (run.assignment().of_launches[launch] != i) continue;
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
