#include "commands/case_run.hpp"

#include "terminal/log.hpp"

#include <gdsim/analysis/run_view.hpp>
#include <gdsim/base/counted.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/compile/compiled_parts.hpp>
#include <gdsim/points/placement_note.hpp>
#include <gdsim/report/csv/samples_csv.hpp>
#include <gdsim/scenario/compile_scenario.hpp>

#include <utility>

namespace gdsim::cli {

namespace {

std::string compiled_text(const Scenario& scenario) {
  std::uint64_t work_groups = 0;
  for (const Launch& launch : scenario.workload.launches)
    work_groups += scenario.workload.kernel_of(launch).range.group_count();
  return scenario.title + ": compiled for " + scenario.device.id + ": " +
         counted(scenario.workload.kernels.size(), "kernel") + ", " +
         std::to_string(scenario.workload.launches.size()) + " launches of " + std::to_string(work_groups) +
         " work-groups";
}

std::string fast_forward_text(const Scenario& scenario, const RunResult& result) {
  const FastForwarded& skipped = result.fast_forwarded;
  return scenario.title + ": " + std::to_string(result.events) + " events handled; fast-forwarded by recurrence over " +
         std::to_string(skipped.instants) + " instants and " + std::to_string(skipped.work_groups) +
         " work-groups, by renewal over " + std::to_string(skipped.slots) + " work-groups, over " +
         std::to_string(skipped.launches) + " isolated launches";
}

}  // namespace

Compiled compile_case(const Scenario& scenario) {
  if (!scenario.refusals.empty()) throw InputError(scenario.refusals);
  return compile_scenario(scenario);
}

std::string refusal_text(const ScenarioCase& one) {
  std::vector<Diagnostic> problems = one.scenario.refusals;
  for (Diagnostic& problem : problems) problem.message += " (case " + one.name + ")";
  return InputError(std::move(problems)).what();
}

CaseRun::CaseRun(const Scenario& scenario, Compiled compiled, const std::set<Keeps>& keeps, SwitchedRunOptions options,
                 Jobs jobs, std::optional<Duration> sample)
    : scenario_(scenario), compiled_(std::move(compiled)) {
  options.min_phase = scenario.min_phase;
  log_debug(compiled_text(scenario));
  if (keeps.contains(Keeps::repetitions)) options.keep_timeline = KeepTimeline::resident_threads;
  if (keeps.contains(Keeps::timeline)) options.keep_timeline = KeepTimeline::yes;
  if (keeps.contains(Keeps::cores)) options.observers.push_back(&cores_.emplace(scenario.device.cores));
  if (keeps.contains(Keeps::work_groups))
    options.observers.push_back(&work_groups_.emplace(scenario.workload.launches.size()));
  if (keeps.contains(Keeps::launches))
    options.observers.push_back(&launches_.emplace(scenario.workload.launches.size()));
  if (keeps.contains(Keeps::group_states)) {
    group_states_.emplace(kMaxGroupPointsDrawn);
    if (may_draw_groups(scenario.workload)) options.observers.push_back(&*group_states_);
  }
  const std::size_t columns = wait_column_count(scenario.device.memory ? scenario.device.memory->levels.size() : 0);
  if (keeps.contains(Keeps::waits)) options.wait_series.push_back(&waits_.emplace(columns));
  if (sample) options.wait_series.push_back(&sampled_waits_.emplace(columns, *sample, kMaxSamples));
  try {
    result_ = simulate(compiled_, options);
    log_debug(fast_forward_text(scenario, result_));
    if (keeps.contains(Keeps::repetitions)) repetitions_.emplace().planned = scenario.repeat;
    if (repetitions_ && result_.record.outcome != Outcome::interrupted)
      repetitions_ = repeat(compiled_, options, scenario.repeat, jobs, &result_);
    notes_ = placement_notes(scenario, result_.record, options);
  } catch (const TimeOverflowError& error) {
    throw InputError({Diagnostic{"time_overflow", error.what(), scenario.file, 0, 0, {}}});
  }
}

RunReport CaseRun::report(std::vector<std::string> changes) const {
  RunReport report{scenario_.title,    scenario_.device, scenario_.dispatch,
                   scenario_.workload, result_.record,   graph_of(compiled_)};
  report.timeline = &result_.timeline;
  report.file = scenario_.file;
  if (cores_) report.cores = &*cores_;
  if (work_groups_) report.work_groups = &*work_groups_;
  if (repetitions_) report.repetitions = &*repetitions_;
  if (launches_) report.launches = &*launches_;
  if (group_states_) report.group_states = &*group_states_;
  if (waits_) report.waits = &*waits_;
  if (sampled_waits_) report.sampled_waits = &*sampled_waits_;
  report.changes = std::move(changes);
  report.notes = notes_;
  return report;
}

}  // namespace gdsim::cli
