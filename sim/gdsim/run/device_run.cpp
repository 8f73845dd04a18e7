#include <gdsim/run/device_run.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/model/lifecycle/end_of_work.hpp>
#include <gdsim/model/settlement.hpp>
#include <gdsim/run/check_options.hpp>
#include <gdsim/run/critical_path.hpp>
#include <gdsim/run/deadlock.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

namespace gdsim {
namespace {

/// Checks that the integral of the change-points exactly equals the sum of the cores' takes and releases.
void require_conservation(Int128 timeline, const std::vector<Core>& cores, SimTime end) {
  const Int128 held = std::accumulate(cores.begin(), cores.end(), Int128{0},
                                      [end](Int128 sum, const Core& core) { return sum + core.context_time(end); });
  GDSIM_CHECK(timeline == held, "conservation is violated: the timeline holds " + to_text(timeline) +
                                    " thread-picoseconds, the cores counted " + to_text(held));
}

/// Checks that the accounted time of each core's threads equals exactly the time for which they held contexts.
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

bool is_remote(const Launch& launch) { return launch.is_remote(); }

RunRecord make_record(const CompiledParts& compiled, Model& model, Recorder& recorder, SimTime end, RunEnd reason) {
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
  const auto& launches = workload.launches;
  for (std::size_t i = 0; i < launches.size(); ++i)
    if (const OptionalTime begun = record.launches[i].begun; begun && !launches[i].is_remote())
      record.begun = std::min(record.begun, *begun);
  if (record.outcome == Outcome::completed && std::none_of(launches.begin(), launches.end(), is_remote))
    find_critical_path(compiled.device, workload, compiled.graph, record);
  return record;
}

/// Returns the parts. Throws InputError if the options are not valid for them.
const CompiledParts& checked(const CompiledParts& parts, const SwitchedRunOptions& options) {
  if (const Issues issues = check_options(options, parts.device); !issues.empty()) throw_input_error(issues);
  GDSIM_CHECK(!parts.device.power, "the clocks of a device with `power` were not found before it runs");
  return parts;
}

}  // namespace

DeviceRun::DeviceRun(const CompiledParts& parts, const SwitchedRunOptions& options)
    : parts_(checked(parts, options)),
      recorder_(parts.device.cores, PhaseRules{options.min_phase, parts.device.contexts_total()},
                options.keep_timeline),
      observers_{&recorder_},
      model_(std::make_unique<Model>(
          input_of(parts, options.seed_offset, options.faults, options.wait_series, options.accounts))) {
  GDSIM_CHECK(options.accounts == KeepAccounts::yes || options.wait_series.empty(),
              "series of waits are asked for without the accounts of dispatch");
  observers_.insert(observers_.end(), options.observers.begin(), options.observers.end());
}

RunResult DeviceRun::conclude(RunEnd reason, const FastForwarded& skipped) {
  Model& model = *model_;
  const SimTime end = model.now();
  const std::vector<Core>& cores = model.state().bank.cores;
  require_conservation(recorder_.resident_time(end), cores, end);
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
  RunRecord record = make_record(parts_, model, recorder_, end, reason);
  record.deadlock = std::move(deadlock);
  record.time_use = std::move(time_use);
  record.idle = model.state().dispatcher.accounts().take_idle(end);
  return {std::move(record), recorder_.take_timeline(), recorder_.take_resident(end), model.events(), skipped};
}

}  // namespace gdsim
