#include "cases/case_run.hpp"

#include "terminal/log.hpp"

#include <gdsim/analysis/words.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/points/point_notes.hpp>

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

}  // namespace

Compiled compile_case(const Scenario& scenario) {
  if (!scenario.refusals.empty()) throw InputError(scenario.refusals);
  return compile_scenario(scenario);
}

std::string refusal_text(const ScenarioCase& scenario_case) {
  std::vector<Diagnostic> problems = scenario_case.scenario.refusals;
  for (Diagnostic& problem : problems) problem.message += " (case " + scenario_case.name + ")";
  return InputError(std::move(problems)).what();
}

CaseRun::CaseRun(const Scenario& scenario, const Compiled& compiled, const std::set<Keeps>& keeps,
                 const InternalRunOptions& options, Jobs jobs, std::optional<Duration> sample)
    : KeptRun((log_debug(compiled_text(scenario)), scenario), compiled, keeps, options, jobs, sample),
      scenario_(scenario) {
  log_debug(scenario.title + ": " + counted(result().events, "event") + " handled");
  notes_ = further_notes(scenario, result(), options);
}

void CaseRun::find_answer(const RunOptions& options, Alternatives alternatives) {
  if (record().outcome == Outcome::completed && !is_without_duration(scenario_.workload))
    answer_ = answer_of(scenario_, report(), options, alternatives);
}

RunReport CaseRun::report(std::vector<std::string> changes) const {
  RunReport report = KeptRun::report(std::move(changes), notes_);
  report.answer = answer_;
  return report;
}

ExitStatus report_end(const std::string& name, const RunRecord& record, HasTimes has_times) {
  switch (record.outcome) {
    case Outcome::completed:
      log_info(name + (has_times == HasTimes::yes
                           ? " completed after " + to_text(record.duration())
                           : " completed; the program of a kernel is a placeholder, so there are no times"));
      return ExitStatus::done;
    case Outcome::deadlock: log_warning(name + " deadlocked: nothing can happen any more"); return ExitStatus::stalled;
    case Outcome::interrupted:
      log_warning(name + " was interrupted at " + to_text(record.end) + " of simulated time");
      return ExitStatus::interrupted;
    case Outcome::bounded:
      log_warning(name + " came to its bound at " + to_text(record.end) + " of simulated time");
      return ExitStatus::done;
  }
  return ExitStatus::defect;
}

}  // namespace gdsim::cli
