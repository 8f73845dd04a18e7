#include <gdsim/analysis/notes/device_notes.hpp>
#include <gdsim/analysis/words.hpp>
#include <gdsim/compile/compiled_parts.hpp>
#include <gdsim/scenario/read_scenario.hpp>
#include "cases/case_run.hpp"
#include "cases/cases_output.hpp"
#include "cases/earlier_run.hpp"
#include "options/command.hpp"
#include "options/shared_options.hpp"
#include "output/output_folder.hpp"
#include "output/sinks.hpp"
#include "run/run_arguments.hpp"
#include "run/run_outputs.hpp"
#include "terminal/log.hpp"

#include <fmt/format.h>

#include <memory>
#include <set>
#include <utility>

namespace gdsim::cli {
namespace {

/// The run of a case, on one device or several. Neither: the device refuses the case.
struct RunOfCase {
  std::unique_ptr<CaseRun> on_one;
  std::unique_ptr<KeptDevices> on_several;
};

/// One call of `gdsim run`.
class RunCall {
 public:
  explicit RunCall(CommandContext& context)
      : context_(context),
        options_(context.options),
        arguments_(read_run_arguments(context)),
        files_(arguments_, options_),
        sources_(context.inputs),
        cases_(read_cases(options_.arguments().front(), scenario_options(options_), sources_)),
        display_(arguments_, options_, cases_, context.out) {}

  ExitStatus run() {
    require_free(files_.outputs(cases_), context_.inputs);
    open_folder();
    RunExtras extras(options_, cases_, context_.inputs, context_.out);
    const ExitStatus status = run_cases(extras);
    if (!cases_.front().name.empty()) finish_cases();
    commit_folder();
    extras.finish();
    context_.out.flush();
    return status;
  }

 private:
  bool is_single() const { return cases_.size() == 1; }

  void open_folder() {
    if (!arguments_.folder) return;
    folder_ = std::make_unique<OutputFolder>(*arguments_.folder, context_.inputs);
    folder_->expect(files_.by_part(cases_));
    if (names_files(sources_, options_)) folder_->set_scenario_folder(folder_of_scenario(options_.arguments().front()));
  }

  void commit_folder() {
    if (!folder_) return;
    folder_->commit();
    log_info("wrote " + *arguments_.folder);
  }

  /// Runs the cases, several at once, and takes their results in order.
  ExitStatus run_cases(RunExtras& extras) {
    ExitStatus status = ExitStatus::done;
    std::vector<RunOfCase> runs(cases_.size());
    const auto run_case = [&](std::size_t i) { runs[i] = run_of(cases_[i].scenario, extras); };
    const auto take_case = [&](std::size_t i) {
      status = worse(status, take(cases_[i], std::exchange(runs[i], {})));
      return status == ExitStatus::interrupted ? Proceed::no : Proceed::yes;
    };
    parallel_for_in_order(cases_.size(), arguments_.jobs, run_case, take_case);
    return status;
  }

  /// Returns the run of a case. Throws InputError if its device refuses the only case.
  RunOfCase run_of(const Scenario& scenario, RunExtras& extras) const {
    if (!is_single() && !scenario.refusals.empty()) return {};
    const bool is_watched = is_single() || arguments_.jobs.count == 1;  // else runs overwrite each other's progress
    const Jobs jobs = is_single() ? arguments_.jobs : Jobs{};
    if (!scenario.devices.empty()) return {nullptr, run_on_several(scenario, extras, is_watched, jobs)};
    return {run_on_one(scenario, extras, is_watched, jobs), nullptr};
  }

  /// Returns true if the output shows what decides the duration: the summary does, tables do not.
  bool shows_answer() const { return arguments_.folder || !arguments_.print || arguments_.print->name == "summary"; }

  std::unique_ptr<CaseRun> run_on_one(const Scenario& scenario, RunExtras& extras, bool is_watched, Jobs jobs) const {
    InternalRunOptions run_options = arguments_.run_options;
    const Compiled compiled = compile_case(scenario);
    if (is_watched) extras.attach(scenario, graph_of(compiled), run_options);
    auto run = std::make_unique<CaseRun>(scenario, compiled, kept_of(scenario), run_options, jobs, arguments_.sample);
    if (arguments_.timer != nullptr) run->add_note(timer_note(*arguments_.timer, scenario.workload, run->record()));
    if (shows_answer()) run->find_answer(run_options, arguments_.alternatives);
    if (is_watched) extras.on_run_end(run->record());
    return run;
  }

  std::unique_ptr<KeptDevices> run_on_several(const Scenario& scenario, RunExtras& extras, bool is_watched,
                                              Jobs jobs) const {
    if (!scenario.refusals.empty()) throw InputError(scenario.refusals);
    if (arguments_.timer != nullptr) throw UsageError("--timer is for runs of one device");
    const auto attach = [&](std::size_t device, const Compiled& compiled, RunOptions& options) {
      if (is_watched) extras.attach_device(scenario, device, graph_of(compiled), options);
    };
    const KeptDevices::How how{arguments_.sample, attach, jobs, extras.pace()};
    auto run = std::make_unique<KeptDevices>(scenario, kept_of(scenario), arguments_.run_options, how);
    for (const auto& device_run : run->devices()) extras.on_run_end(device_run->record());
    return run;
  }

  /// Returns the data that the run must keep. Throws UsageError if the scenario lacks what --print needs.
  std::set<Keeps> kept_of(const Scenario& scenario) const {
    const auto& print = arguments_.print;
    if (print)
      if (const auto lacking = lacks(scenario, *print))
        throw UsageError("--print " + std::string(print->name) + " needs " + *lacking);
    std::set<Keeps> needed;
    if (arguments_.folder)
      for (const Format& format : files_.tables_of(scenario)) needed.insert(format.keeps);
    if (print) needed.insert(print->keeps);
    if (scenario.repeat > 1 && !print) needed.insert(Keeps::repetitions);
    if (arguments_.sample) needed.insert(Keeps::timeline);
    if (needed.contains(Keeps::waits)) needed.insert(Keeps::timeline);  // tables of waits need it; texts do not
    display_.add_needs(needed);
    return needed;
  }

  /// Writes or shows the results of a case.
  ExitStatus take(const ScenarioCase& scenario_case, const RunOfCase& run) {
    if (run.on_several != nullptr) return take_several(scenario_case, *run.on_several);
    return run.on_one != nullptr ? take_one(scenario_case, *run.on_one) : take_refused(scenario_case);
  }

  ExitStatus take_refused(const ScenarioCase& scenario_case) {
    table_.add_refused(scenario_case);
    if (scenario_case.scenario.expects_refusal()) return ExitStatus::done;
    log_error(refusal_text(scenario_case));
    return ExitStatus::bad_input;
  }

  ExitStatus take_one(const ScenarioCase& scenario_case, const CaseRun& run) {
    if (folder_) files_.add(scenario_case, run, *folder_);
    const ExitStatus status = status_of(scenario_case, run);
    table_.add(scenario_case, run.record(), run.answer());
    const RunReport report = run.report();
    notes_.add(scenario_case.name, notes_of(report), notes_on_clocks(report.device, report.record));
    display_.show(scenario_case, run);
    return status;
  }

  ExitStatus take_several(const ScenarioCase& scenario_case, const KeptDevices& run) {
    const DevicesOutput output(scenario_case, run, changes_of(scenario_case, options_));
    if (folder_) files_.add(scenario_case, output, *folder_);
    table_.add(scenario_case, run.record());
    output.add_notes(is_single() ? "" : scenario_case.name + ", ", notes_);
    display_.show(output);
    return report_end(name_of(scenario_case), run.record(), HasTimes{has_durations(scenario_case.scenario)});
  }

  static const std::string& name_of(const ScenarioCase& scenario_case) {
    return scenario_case.name.empty() ? scenario_case.scenario.title : scenario_case.name;
  }

  static ExitStatus status_of(const ScenarioCase& scenario_case, const CaseRun& run) {
    if (const Repetitions* all = run.repetitions(); all != nullptr && all->runs.size() < all->planned) {
      log_warning(fmt::format("{} was interrupted after {} of {} runs", name_of(scenario_case), all->runs.size(),
                              all->planned));
      return ExitStatus::interrupted;
    }
    return report_end(name_of(scenario_case), run.record(), HasTimes{has_durations(scenario_case.scenario)});
  }

  void finish_cases() {
    if (folder_) {
      RunFiles::add_cases(table_, cases_.front().scenario.title, *folder_);
    } else {
      display_.show(table_, notes_);
    }
  }

  CommandContext& context_;
  const Options& options_;
  const RunArguments arguments_;
  const RunFiles files_;
  SourceFiles sources_;
  const std::vector<ScenarioCase> cases_;
  RunDisplay display_;
  std::unique_ptr<OutputFolder> folder_;  ///< null without `-o`
  CasesTable table_;
  CaseNotes notes_;
};

ExitStatus execute_run(CommandContext& context) { return RunCall(context).run(); }

}  // namespace

Command run_command() {
  CommandSpec spec{
      "run",
      "SCENARIO.yaml",
      "a scenario: its phases of occupancy, every table as CSV",
      "Runs the scenario and shows its phases of occupancy. SCENARIO may be - for standard input.\n"
      "A case that the device refuses is listed as refused; the others run.\n"
      "Exit status: 0 done, or at a bound that was asked for; 2 bad input, or a refused case that does not expect\n"
      "it or is the only one; 3 the run deadlocked, 130 it was interrupted (its files are kept).",
      "  gdsim run scenarios/vector_add4.yaml\n"
      "  gdsim run scenarios/vector_add4.yaml -o out        # timeline.csv, cores.csv, phases.csv, ...\n"
      "  gdsim run scenarios/vector_add4.yaml --set dispatch.ports=3 --print timeline\n"
      "  gdsim run scenarios/vector_add2.yaml --case n44",
      run_option_specs()};
  spec.removed = {"no-fast-forward", "no-skip"};
  return {spec, execute_run};
}

}  // namespace gdsim::cli
