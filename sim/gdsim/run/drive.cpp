#include <gdsim/run/drive.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/model/model_state.hpp>
#include <gdsim/run/critical_path.hpp>
#include <gdsim/run/internal_run_options.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

namespace gdsim {
namespace {

/// One device.
class DrivenModel {
 public:
  /// All must outlive this.
  DrivenModel(Model& model, Broadcast& broadcast, const RunControl& control)
      : model_(model), broadcast_(broadcast), control_(control) {}

  bool advance() {
    make_bound_an_instant();
    if (!model_.next_instant([this] { return gives_up(); })) return false;
    broadcast_.report();
    return true;
  }
  bool is_done() const { return model_.is_done(); }
  SimTime now() const { return model_.now(); }
  std::uint64_t events() const { return model_.events(); }

 private:
  /// Nothing after the bound happens: the run ends there.
  void make_bound_an_instant() {
    const std::optional<SimTime>& bound = control_.bounds.time;
    if (!bound || model_.now() > *bound) return;
    if (const auto next = model_.next_time(); next && *next > *bound) model_.schedule_empty_instant(*bound);
  }
  /// Returns true if an instant of too many events is left before its end.
  bool gives_up() const {
    const auto& all = control_.bounds.events;
    return broadcast_.stop_requested() || (all && model_.events() >= *all);
  }

  Model& model_;
  Broadcast& broadcast_;
  const RunControl& control_;
};

}  // namespace

void add_held(const ModelState& state, SimTime end, std::vector<Int128>& held) {
  const std::vector<Core>& cores = state.bank.cores;
  held.resize(cores.size(), 0);
  for (std::size_t core = 0; core < cores.size(); ++core) held[core] += cores[core].context_time(end);
}

void require_conservation(Int128 timeline, std::span<const Int128> held) {
  const Int128 all = std::accumulate(held.begin(), held.end(), Int128{0});
  GDSIM_CHECK(timeline == all, "conservation is violated: the timeline holds " + to_text(timeline) +
                                   " thread-picoseconds, the cores counted " + to_text(all));
}

void require_time_accounted(std::span<const CoreTimeUse> uses, std::span<const Int128> held) {
  auto next = uses.begin();
  for (std::size_t core = 0; core < held.size(); ++core) {
    Int128 sum = 0;
    for (; next != uses.end() && index_of(next->core) == core; ++next) sum += next->use.sum();
    GDSIM_CHECK(sum == held[core], "of core " + std::to_string(core) + "'s time, " + to_text(sum) +
                                       " thread-picoseconds are accounted for, " + to_text(held[core]) + " were spent");
  }
}

void require_empty(ModelState& state) {
  end_recoveries(state, kEndOfTime);
  for (const Core& core : state.bank.cores) GDSIM_CHECK(core.is_empty(), "a core holds something after the last end");
}

ModelInput input_of(const CompiledParts& parts, std::uint64_t seed_offset, const FaultInjection& faults,
                    std::vector<WaitSeries*> wait_series, KeepAccounts accounts, TileLog* tile_log) {
  return {.device = parts.device,
          .rules = parts.rules,
          .workload = *parts.workload,
          .plans = parts.plans,
          .graph = parts.graph,
          .footprints = parts.footprints,
          .make_placement = parts.policies.maker(parts.rules.placement),
          .seed_offset = seed_offset,
          .faults = faults,
          .wait_series = std::move(wait_series),
          .keep_accounts = accounts,
          .tile_log = tile_log};
}

RunEnd drive(Model& model, Listeners& listeners, const RunControl& control) {
  Broadcast broadcast(model, listeners, control.stop);
  DrivenModel driven(model, broadcast, control);
  return run_to_end(driven, control.bounds, control.stop);
}

Outcome outcome_of(bool is_done, RunEnd reason) {
  if (is_done) return Outcome::completed;
  if (reason == RunEnd::nothing_pending) return Outcome::deadlock;
  return reason == RunEnd::stop_requested ? Outcome::interrupted : Outcome::bounded;
}

RecordMaker::RecordMaker(const CompiledParts& parts, const InternalRunOptions& options)
    : parts_(parts),
      recorder_(parts.device.cores, PhaseRules{options.min_phase, parts.device.contexts_total()},
                options.keep_timeline),
      listeners_(options.observers, &recorder_) {}

RunRecord RecordMaker::record(Outcome outcome, SimTime end) {
  RunRecord record;
  record.outcome = outcome;
  record.first_dispatch = recorder_.start().value_or(end);
  record.end = end;
  record.contexts_total = parts_.device.contexts_total();
  record.contexts_per_core = parts_.device.contexts_per_core();
  for (const Launch& launch : parts_.workload->launches) {
    const Kernel& kernel = parts_.workload->kernel_of(launch);
    record.threads_total += kernel.threads_total();
    record.work_groups_total += kernel.range.group_count();
  }
  record.peak_resident = recorder_.peak_resident();
  record.resident_time = recorder_.resident_time(end);
  record.core_time = recorder_.core_time(end);
  record.phases = recorder_.finish_phases(end);
  return record;
}

void RecordMaker::add_begin_and_path(const LaunchGraph& graph, RunRecord& record) const {
  const auto& launches = parts_.workload->launches;
  record.begin = record.first_dispatch;
  for (std::size_t i = 0; i < launches.size(); ++i)
    if (const OptionalTime begun = record.launches[i].begun; begun && !launches[i].is_remote())
      record.begin = std::min(record.begin, *begun);
  // With launches of other devices, the path is that of all devices.
  const bool is_alone =
      std::none_of(launches.begin(), launches.end(), [](const Launch& launch) { return launch.is_remote(); });
  if (record.outcome == Outcome::completed && is_alone)
    find_critical_path(parts_.device, *parts_.workload, graph, record);
}

RunResult RecordMaker::result(RunRecord record, std::uint64_t events) {
  const SimTime end = record.end;
  return {std::move(record), recorder_.take_timeline(), recorder_.take_resident(end), events};
}

namespace {

/// Returns the parts if the options are valid for them.
const CompiledParts& checked(const CompiledParts& parts, const InternalRunOptions& options) {
  if (const Issues issues = check_options(options, parts.device); !issues.empty()) throw_input_error(issues);
  GDSIM_CHECK(!parts.device.power, "the clocks of a device with `power` were not found before it runs");
  return parts;
}

/// The time that each core's threads have spent: exactly that for which they held contexts.
std::vector<CoreTimeUse> balanced_time_use(ModelState& state, Int128 resident_time) {
  std::vector<Int128> held;
  add_held(state, state.now(), held);
  require_conservation(resident_time, held);
  if (state.launches.are_done()) require_empty(state);
  std::vector<CoreTimeUse> uses = finalize_time_use(state);
  require_time_accounted(uses, held);
  return uses;
}

}  // namespace

DeviceRun::DeviceRun(const CompiledParts& parts, const InternalRunOptions& options)
    : maker_(checked(parts, options), options),
      model_(input_of(parts, options.seed_offset, options.faults, options.wait_series, options.accounts,
                      options.tile_log)) {
  GDSIM_CHECK(options.accounts == KeepAccounts::yes || options.wait_series.empty(),
              "series of waits are asked for without the accounts of dispatch");
}

RunResult DeviceRun::conclude(RunEnd reason) {
  ModelState& state = model_.state();
  const SimTime end = model_.now();
  const Outcome outcome = outcome_of(model_.is_done(), reason);
  std::vector<CoreTimeUse> time_use = balanced_time_use(state, maker_.resident_time(end));
  Deadlock deadlock;
  if (outcome == Outcome::deadlock) deadlock = diagnose_deadlock(state);
  settle_launches(state);
  state.waits.finish(end);
  RunRecord record = maker_.record(outcome, end);
  record.launches = state.launches.take_records();
  record.triggered = state.arrivals.take_triggered();
  record.batched = state.arrivals.take_batched();
  maker_.add_begin_and_path(parts().graph, record);
  record.deadlock = std::move(deadlock);
  record.time_use = std::move(time_use);
  record.traffic = traffic_by_kernel(state);
  record.idle = state.dispatching.accounts().take_idle(end);
  return maker_.result(std::move(record), model_.events());
}

}  // namespace gdsim
