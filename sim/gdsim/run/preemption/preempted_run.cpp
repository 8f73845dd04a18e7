#include <gdsim/run/preemption/preempted_run.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

namespace gdsim {
namespace {

/// Returns the graph with a host for each process. No launch waits for a launch of another process, and none starts
/// behind one.
LaunchGraph graph_by_process(const LaunchGraph& whole, const Processes& names) {
  LaunchGraph graph = whole;
  std::stable_sort(graph.host_order.begin(), graph.host_order.end(),
                   [&](LaunchId a, LaunchId b) { return names.of(a) < names.of(b); });
  return graph;
}

/// Returns, by process, the graph of its own launches.
std::vector<LaunchGraph> graphs_of(const LaunchGraph& all, const Processes& names) {
  std::vector<LaunchGraph> graphs;
  for (std::uint32_t i = 0; i < names.count(); ++i) {
    LaunchGraph& own = graphs.emplace_back(all);
    std::erase_if(own.host_order, [&](LaunchId launch) { return names.of(launch) != i; });
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
                                                     const Processes& names, const std::vector<LaunchGraph>& graphs) {
  std::vector<std::unique_ptr<Process>> processes;
  for (std::uint32_t i = 0; i < names.count(); ++i) {
    ModelInput input = input_of_process(parts, options, graphs[i]);
    const auto is_foreign = [i](std::uint32_t process) { return process != i; };
    input.foreign_launches =
        static_cast<std::size_t>(std::count_if(names.of_launches.begin(), names.of_launches.end(), is_foreign));
    processes.push_back(std::make_unique<Process>(std::move(input)));
  }
  return processes;
}

}  // namespace

PreemptedRun::PreemptedRun(const CompiledParts& parts, const InternalRunOptions& options, Listeners& listeners)
    : options_(options),
      names_(processes_of(*parts.workload, parts.rules)),
      graph_(graph_by_process(parts.graph, names_)),
      graphs_(graphs_of(graph_, names_)),
      processes_(make_processes(parts, options, names_, graphs_)),
      scheduler_(parts, processes_, names_),
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

}  // namespace gdsim
