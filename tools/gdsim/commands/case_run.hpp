#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/compile/compile.hpp>
#include <gdsim/record/core_timeline.hpp>
#include <gdsim/report/format_catalog.hpp>
#include <gdsim/run/run_switches.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gdsim::cli {

/// Makes a scenario ready to run; it must outlive the answer. Throws InputError if the device refuses it.
Compiled compile_case(const Scenario& scenario);

/// Why the device refuses a case of several: every problem with its place, and with the case's name.
std::string refusal_text(const ScenarioCase& one);

/// One scenario, run, with everything that was to be kept.
class CaseRun {
 public:
  /// `jobs` are for its repetitions; `sample`: the length of samples that will be written. Throws InputError if the
  /// device refuses the scenario. The scenario must outlive this.
  CaseRun(const Scenario& scenario, const std::set<Keeps>& keeps, SwitchedRunOptions options, Jobs jobs = {},
          std::optional<Duration> sample = std::nullopt)
      : CaseRun(scenario, compile_case(scenario), keeps, std::move(options), jobs, sample) {}
  /// The same of a scenario that was made ready before.
  CaseRun(const Scenario& scenario, Compiled compiled, const std::set<Keeps>& keeps, SwitchedRunOptions options,
          Jobs jobs = {}, std::optional<Duration> sample = std::nullopt);

  const RunRecord& record() const { return result_.record; }
  const WorkGroupLog* work_groups() const { return work_groups_ ? &*work_groups_ : nullptr; }
  const CoreTimeline* cores() const { return cores_ ? &*cores_ : nullptr; }
  /// Null unless it was repeated.
  const Repetitions* repetitions() const { return repetitions_ ? &*repetitions_ : nullptr; }
  /// With what was changed in the scenario before it ran.
  RunReport report(std::vector<std::string> changes = {}) const;

 private:
  const Scenario& scenario_;
  Compiled compiled_;
  std::optional<CoreTimeline> cores_;
  std::optional<WorkGroupLog> work_groups_;
  std::optional<Repetitions> repetitions_;
  std::optional<LaunchTimeline> launches_;
  std::optional<GroupTimeline> group_states_;
  std::optional<WaitSeries> waits_;
  std::optional<WaitSeries> sampled_waits_;
  RunResult result_;
  std::vector<std::string> notes_;  ///< placement_notes()
};

}  // namespace gdsim::cli
