#include <gdsim/run/simulate.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/compile/compiled_parts.hpp>
#include <gdsim/model/lifecycle/end_of_work.hpp>
#include <gdsim/model/settlement.hpp>
#include <gdsim/record/recorder.hpp>
#include <gdsim/run/check_options.hpp>
#include <gdsim/run/critical_path.hpp>
#include <gdsim/run/deadlock.hpp>
#include <gdsim/run/drive.hpp>
#include <gdsim/run/preemption/simulate_preempted.hpp>
#include <gdsim/run/run_switches.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>

namespace gdsim {
namespace {

/// The integral of the change-points against what the cores took and released, exactly.
void require_conservation(Int128 timeline, const std::vector<Core>& cores, SimTime end) {
  const Int128 held = std::accumulate(cores.begin(), cores.end(), Int128{0},
                                      [end](Int128 sum, const Core& core) { return sum + core.context_time(end); });
  GDSIM_CHECK(timeline == held, "conservation is violated: the timeline holds " + to_text(timeline) +
                                    " thread-picoseconds, the cores counted " + to_text(held));
}

/// What the threads of each core did with their time against how long they held their contexts, exactly.
void require_time_accounted(const std::vector<CoreTimeUse>& uses, const std::vector<Core>& cores, SimTime end) {
  auto next = uses.begin();
  for (std::size_t core = 0; core < cores.size(); ++core) {
    Int128 sum = 0;
    for (; next != uses.end() && index_of(next->core) == core; ++next) sum += next->use.sum();
    GDSIM_CHECK(sum == cores[core].context_time(end), "of core " + std::to_string(core) + "'s time, " + to_text(sum) +
                                                          " thread-picoseconds are accounted for, " +
                                                          to_text(cores[core].context_time(end)) + " were spent");
  }
}

void require_empty(const std::vector<Core>& cores) {
  for (const Core& core : cores) GDSIM_CHECK(core.is_empty(), "a core holds something after the last end");
}

Outcome outcome_of(const Model& model, RunEnd reason) {
  if (model.is_done()) return Outcome::completed;
  if (reason == RunEnd::nothing_pending) return Outcome::deadlock;
  return reason == RunEnd::stop_requested ? Outcome::interrupted : Outcome::bounded;
}

RunRecord conclude(const CompiledParts& compiled, Model& model, Recorder& recorder, SimTime end, RunEnd reason) {
  const Workload& workload = *compiled.workload;
  RunRecord record;
  record.outcome = outcome_of(model, reason);
  record.start = recorder.start().value_or(end);
  record.end = end;
  record.contexts_total = compiled.device.contexts_total();
  record.contexts_per_core = compiled.device.contexts_per_core();
  for (const Launch& launch : workload.launches) {
    const Kernel& kernel = workload.kernel_of(launch);
    record.threads_total += kernel.threads_total();
    record.work_groups_total += kernel.range.group_count();
  }
  record.peak_resident = recorder.peak_resident();
  record.resident_time = recorder.resident_time(end);
  record.core_time = recorder.core_time(end);
  record.phases = recorder.finish_phases(end);
  record.launches = model.state().launches.take_records();
  record.triggered = model.state().arrivals.take_triggered();
  record.batched = model.state().arrivals.take_batched();
  record.begun = record.start;
  for (const LaunchRecord& launch : record.launches)
    if (launch.begun) record.begun = std::min(record.begun, *launch.begun);
  if (record.outcome == Outcome::completed) find_critical_path(compiled.device, workload, compiled.graph, record);
  return record;
}

/// Drives the model to its end; or, where its state is to be copied, up to then, and replaces it by the copy.
RunEnd drive_or_copy(std::unique_ptr<Model>& model, const CompiledParts& parts, const SwitchedRunOptions& options,
                     std::span<Observer* const> observers, FastForwarded& skipped) {
  const RunControl control{options.bounds, options.stop, options.fast_forward};
  if (!options.copied_at) return drive(*model, observers, control, &skipped);
  GDSIM_CHECK(options.wait_series.empty(), "a run that is copied has two ends, but series of waits have one");
  RunControl up_to_copy = control;
  GDSIM_CHECK(!options.bounds.events, "a run that is copied counts its events twice");
  up_to_copy.bounds.time = std::min(*options.copied_at, options.bounds.time.value_or(*options.copied_at));
  if (const RunEnd end = drive(*model, observers, up_to_copy, &skipped); end != RunEnd::bound_reached) return end;
  auto copy = std::make_unique<Model>(input_of(parts, options.seed_offset, options.faults));
  copy->continue_from(*model);
  drive(*model, {}, control);
  model = std::move(copy);
  return drive(*model, observers, control, &skipped);
}

}  // namespace

ModelInput input_of(const CompiledParts& parts, std::uint64_t seed_offset, const FaultInjection& faults,
                    std::vector<WaitSeries*> wait_series) {
  return {parts.device,
          parts.rules,
          *parts.workload,
          parts.plans,
          parts.graph,
          parts.footprints,
          parts.policies.maker(parts.rules.placement),
          seed_offset,
          faults,
          std::move(wait_series)};
}

RunResult simulate(const Compiled& compiled, const RunOptions& options) {
  SwitchedRunOptions switched;
  static_cast<RunOptions&>(switched) = options;
  return simulate(compiled, switched);
}

RunResult simulate(const Compiled& compiled, const SwitchedRunOptions& options) {
  const CompiledParts& parts = CompiledParts::of(compiled);
  if (const Issues issues = check_options(options, parts.device); !issues.empty()) throw_input_error(issues);
  if (parts.rules.preemption) return simulate_preempted(parts, options);
  Recorder recorder(parts.device.cores, PhaseRules{options.min_phase, parts.device.contexts_total()},
                    options.keep_timeline);
  std::vector<Observer*> observers{&recorder};
  observers.insert(observers.end(), options.observers.begin(), options.observers.end());
  auto driven = std::make_unique<Model>(input_of(parts, options.seed_offset, options.faults, options.wait_series));
  FastForwarded skipped;
  const RunEnd reason = drive_or_copy(driven, parts, options, observers, skipped);
  Model& model = *driven;
  const SimTime end = model.now();
  const std::vector<Core>& cores = model.state().bank.cores;
  require_conservation(recorder.resident_time(end), cores, end);
  if (model.is_done()) {
    end_recoveries(model.state(), SimTime{std::numeric_limits<std::int64_t>::max()});
    require_empty(cores);
  }
  std::vector<CoreTimeUse> time_use = finalize_time_use(model.state());
  require_time_accounted(time_use, cores, end);
  Deadlock deadlock;
  if (outcome_of(model, reason) == Outcome::deadlock) deadlock = diagnose_deadlock(model.state());
  settle_launches(model.state());
  model.state().waits.finish(end);
  RunRecord record = conclude(parts, model, recorder, end, reason);
  record.deadlock = std::move(deadlock);
  record.time_use = std::move(time_use);
  record.idle = model.state().dispatcher.take_idle(end);
  return {std::move(record), recorder.take_timeline(), recorder.take_resident(end), model.events(), skipped};
}

}  // namespace gdsim
