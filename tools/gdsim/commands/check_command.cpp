#include <gdsim/base/text.hpp>
#include <gdsim/points/kept_run.hpp>
#include <gdsim/scenario/read_scenario.hpp>
#include "cases/case_run.hpp"
#include "commands/check_report.hpp"
#include "options/command.hpp"
#include "options/shared_options.hpp"
#include "output/sinks.hpp"
#include "terminal/log.hpp"

#include <unistd.h>

#include <algorithm>

namespace gdsim::cli {
namespace {

std::string place_of(const SourceMark& mark) {
  return mark.source->name() + ":" + std::to_string(mark.line) + ":" + std::to_string(mark.column);
}

bool expects_deadlock(const std::vector<Expectation>& expectations) {
  return std::any_of(expectations.begin(), expectations.end(), [](const Expectation& expectation) {
    const auto* outcome = std::get_if<ExpectedOutcome>(&expectation.item);
    return outcome != nullptr && outcome->outcome == Outcome::deadlock;
  });
}

/// One call of `gdsim check`.
class CheckCall {
 public:
  explicit CheckCall(CommandContext& context) : context_(context) {
    if (context.options.arguments().empty()) throw UsageError("at least one scenario file is needed");
    format_ = context.options.value("format").value_or("text");
    if (format_ != "text" && format_ != "json" && format_ != "junit")
      throw UsageError("--format is " + in_quotes(format_) + "; known: text, json, junit");
    read_ = scenario_options(context.options);
    const Jobs jobs = jobs_of(context.options);
    const bool has_files = context.options.arguments().size() > 1;
    files_at_once_ = has_files ? jobs : Jobs{};
    cases_at_once_ = has_files ? Jobs{} : jobs;
  }

  ExitStatus run() {
    const std::vector<std::string>& names = context_.options.arguments();
    std::vector<std::optional<FileCheck>> checks(names.size());
    std::vector<CheckedFile> files;
    ExitStatus status = ExitStatus::done;
    const auto check = [&](std::size_t i) { checks[i] = check_file(names[i]); };
    const auto take = [&](std::size_t i) {
      for (const std::string& warning : checks[i]->warnings) log_warning(warning);
      files.push_back(std::move(checks[i]->checked));
      for (const std::string& error : files.back().errors)
        files.back().status == ExitStatus::defect ? log_critical(error) : log_error(error);
      status = worse(status, files.back().status);
      return status == ExitStatus::interrupted ? Proceed::no : Proceed::yes;
    };
    parallel_for_in_order(names.size(), files_at_once_, check, take);
    write(files);
    context_.out.flush();
    return status;
  }

 private:
  void write(const std::vector<CheckedFile>& files) const {
    if (format_ == "json") return context_.out.write(check_json(files));
    if (format_ == "junit") return context_.out.write(check_junit(files));
    const bool colored = is_colored(parse_color(context_.options.value("color")), STDOUT_FILENO);
    context_.out.show_styled(check_text(files, colored));
  }

  /// The report on one file; reports are printed in the order of the files.
  struct FileCheck {
    CheckedFile checked;
    std::vector<std::string> warnings;
  };

  FileCheck check_file(const std::string& file) const {
    FileCheck check{{file, {}, {}, ExitStatus::done}, {}};
    CheckedFile& checked = check.checked;
    try {
      SourceFiles sources;
      const auto cases = read_cases(file, read_, sources);
      std::vector<CheckedCase> results(cases.size());
      std::vector<ExitStatus> statuses(cases.size(), ExitStatus::done);
      std::vector<std::optional<std::string>> refusals(cases.size());
      std::size_t expectations = 0;
      const auto run_case = [&](std::size_t i) {
        if (const Scenario& scenario = cases[i].scenario; !scenario.refusals.empty() && !scenario.expects_refusal()) {
          refusals[i] = refusal_text(cases[i]);
          results[i].name = cases[i].name;
        } else {
          results[i] = check_case(cases[i], statuses[i]);
        }
      };
      const auto take_case = [&](std::size_t i) {
        expectations += cases[i].scenario.expectations.size();
        if (cases[i].scenario.expectations.empty() && cases.size() > 1)
          check.warnings.push_back(file + ": " + cases[i].name + " expects nothing");
        if (refusals[i]) fail(checked, ExitStatus::bad_input, *refusals[i]);
        checked.cases.push_back(std::move(results[i]));
        checked.status = worse(checked.status, statuses[i]);
        return checked.status == ExitStatus::interrupted ? Proceed::no : Proceed::yes;
      };
      parallel_for_in_order(cases.size(), cases_at_once_, run_case, take_case);
      if (expectations == 0 && checked.status != ExitStatus::interrupted)
        fail(checked, ExitStatus::bad_input,
             file +
                 ":1:1: error: nothing is expected, so nothing was checked; add what must hold, as in\n"
                 "  expect: [{peak_occupancy: 100}]");
    } catch (const InputError& error) {
      fail(checked, ExitStatus::bad_input, error.what());
    } catch (const DefectError& error) {
      fail(checked, ExitStatus::defect, file + ": defect: " + error.what());
    }
    return check;
  }

  static void fail(CheckedFile& checked, ExitStatus status, const std::string& message) {
    checked.errors.push_back(message);
    checked.status = worse(checked.status, status);
  }

  CheckedCase check_case(const ScenarioCase& scenario_case, ExitStatus& status) const {
    const Scenario& scenario = scenario_case.scenario;
    CheckedCase checked{scenario_case.name, {}, {}, {}};
    std::optional<CaseRun> run;
    std::optional<KeptDevices> devices;
    RunData evidence;
    if (scenario.refusals.empty() && !scenario.devices.empty()) {
      devices.emplace(scenario, std::set<Keeps>{}, context_.run_options, KeptDevices::How{});
      evidence.record = &devices->record();
    } else if (scenario.refusals.empty()) {
      std::set<Keeps> keeps;
      if (needs_work_groups(scenario.expectations)) keeps.insert(Keeps::work_groups);
      if (needs_cores(scenario.expectations)) keeps.insert(Keeps::cores);
      run.emplace(scenario, keeps, context_.run_options);
      evidence = {&run->record(), run->work_groups(), run->cores()};
    }
    if (scenario.refusals.empty()) {
      const Outcome outcome = evidence.record->outcome;
      if (outcome == Outcome::interrupted) {
        checked.interruption = "the simulation was interrupted at " + to_text(evidence.record->end) +
                               " of simulated time; nothing was evaluated";
        status = ExitStatus::interrupted;
        return checked;
      }
      if (outcome == Outcome::deadlock && !expects_deadlock(scenario.expectations)) {
        checked.deadlock = "the run deadlocked, which nothing here expects";
        status = worse(status, ExitStatus::stalled);
      }
    }
    const bool is_of_one = scenario.devices.empty() || !scenario.refusals.empty();
    for (const Expectation& expectation : scenario.expectations) {
      const ExpectationResult verdict =
          evaluate_expectation(expectation, is_of_one ? scenario : scenario.devices.front(), evidence);
      if (!verdict.passed) status = worse(status, ExitStatus::expectation_missed);
      checked.items.push_back(
          {expectation.key, expectation.source, expectation.status, place_of(expectation.mark), verdict});
    }
    return checked;
  }

  CommandContext& context_;
  std::string format_;
  ReadOptions read_;
  Jobs files_at_once_;
  Jobs cases_at_once_;
};

ExitStatus run_check(CommandContext& context) { return CheckCall(context).run(); }

}  // namespace

Command check_command() {
  Command command{
      {"check",
       "SCENARIO.yaml...",
       "does a scenario hold what it expects?",
       "Runs each scenario and evaluates its `expect:`. What is missed is shown with what was expected and\n"
       "found, the tolerance and the source.\n"
       "Exit status: 0 all hold, 1 an expectation was missed, 2 bad input or nothing expected, 3 an unexpected stall,\n"
       "130 interrupted, 70 a defect of gdsim; over many files the gravest of 70 > 130 > 2 > 3 > 1.",
       "  gdsim check scenarios/*.yaml\n"
       "  gdsim check scenarios/*.yaml --format junit > report.xml",
       {{"format", 0, "FORMAT", "text (default), json or junit", Times::once, "text json junit"}, jobs_option_spec()}},
      run_check};
  for (const OptionSpec& option : scenario_option_specs()) command.spec.options.push_back(option);
  return command;
}

}  // namespace gdsim::cli
