#include "run/run_command.hpp"

#include "commands/case_run.hpp"
#include "commands/cases_table.hpp"
#include "commands/devices_output.hpp"
#include "commands/printed_format.hpp"
#include "commands/run_end.hpp"
#include "options/scenario_arguments.hpp"
#include "output/output_folder.hpp"
#include "run/run_arguments.hpp"
#include "run/run_extras.hpp"
#include "run/run_files.hpp"
#include "terminal/log.hpp"
#include "terminal/terminal.hpp"

#include <gdsim/analysis/notes.hpp>
#include <gdsim/analysis/notes/case_notes.hpp>
#include <gdsim/analysis/notes/clock_note.hpp>
#include <gdsim/base/printable.hpp>
#include <gdsim/compile/compiled_parts.hpp>
#include <gdsim/report/csv/samples_csv.hpp>
#include <gdsim/report/text/run_text.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <unistd.h>

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <set>
#include <utility>

namespace gdsim::cli {
namespace {

/// What is shown of a timeline besides tables.
enum class Chart : std::uint8_t {
  no,
  yes,
  too_large  ///< to be drawn without --chart
};

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
        cases_(read_cases(options_.arguments().front(), scenario_options(options_), sources_)) {}

  ExitStatus run() {
    if (arguments_.print) require_one_case(cases_, "--print");
    if (arguments_.sample && !arguments_.folder) require_one_case(cases_, "--sample without -o DIR");
    chart_ = choose_chart();
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
  /// Returns true if text for a person goes to standard output.
  bool shows_text() const {
    const auto& [print, folder, sample, is_output_taken, run_options, jobs] = arguments_;
    return !print && !folder && !sample && !is_output_taken;
  }

  /// Draws a chart with --chart, or on a terminal unless the timeline of a run could outgrow memory. Throws UsageError
  /// if --chart is given for several cases.
  Chart choose_chart() const {
    constexpr std::uint64_t max_work_groups = 1'000'000;
    if (options_.has("chart")) {
      require_one_case(cases_, "--chart");
      return Chart::yes;
    }
    if (!shows_text() || !is_single() || !is_terminal(STDOUT_FILENO)) return Chart::no;
    const bool is_large = work_groups_up_to(max_work_groups, cases_.front().scenario) > max_work_groups;
    return is_large ? Chart::too_large : Chart::yes;
  }

  void open_folder() {
    if (!arguments_.folder) return;
    folder_ = std::make_unique<OutputFolder>(*arguments_.folder, context_.inputs);
    folder_->require_own(files_.by_part(cases_));
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

  std::unique_ptr<CaseRun> run_on_one(const Scenario& scenario, RunExtras& extras, bool is_watched, Jobs jobs) const {
    InternalRunOptions run_options = arguments_.run_options;
    const Compiled compiled = compile_case(scenario);
    if (is_watched) extras.attach(scenario, graph_of(compiled), run_options);
    auto run = std::make_unique<CaseRun>(scenario, compiled, kept_of(scenario), run_options, jobs, arguments_.sample);
    if (is_watched) extras.on_run_end(run->record());
    return run;
  }

  std::unique_ptr<KeptDevices> run_on_several(const Scenario& scenario, RunExtras& extras, bool is_watched,
                                              Jobs jobs) const {
    if (!scenario.refusals.empty()) throw InputError(scenario.refusals);
    const auto attach = [&](std::size_t device, const Compiled& compiled, RunOptions& options) {
      if (is_watched) extras.attach_device(scenario, device, graph_of(compiled), options);
    };
    const KeptDevices::How how{arguments_.sample, attach, jobs, extras.pace()};
    auto run = std::make_unique<KeptDevices>(scenario, kept_of(scenario), arguments_.run_options, how);
    for (const auto& one : run->devices()) extras.on_run_end(one->record());
    return run;
  }

  /// Returns the data that the run must keep. Throws UsageError if the scenario has no table as --print names it.
  std::set<Keeps> kept_of(const Scenario& scenario) const {
    const auto& [print, folder, sample, is_output_taken, run_options, jobs] = arguments_;
    if (print)
      if (const auto lacking = lacks(scenario, *print))
        throw UsageError("--print " + std::string(print->name) + " needs " + *lacking);
    std::set<Keeps> needed;
    if (folder)
      for (const Format& format : files_.tables_of(scenario)) needed.insert(format.keeps);
    if (print) needed.insert(print->keeps);
    if (scenario.repeat > 1 && !print) needed.insert(Keeps::repetitions);
    if (sample) needed.insert(Keeps::timeline);
    if (chart_ == Chart::yes) needed.insert({Keeps::timeline, Keeps::cores});
    if (needed.contains(Keeps::waits)) needed.insert(Keeps::timeline);
    const bool has_text = !print && !folder && !sample;
    if (chart_ == Chart::yes || has_text) needed.insert(Keeps::waits);  // the text needs no timeline
    return needed;
  }

  /// Writes or shows the results of a case.
  ExitStatus take(const ScenarioCase& one, const RunOfCase& run) {
    if (run.on_several != nullptr) return take_several(one, *run.on_several);
    return run.on_one != nullptr ? take_one(one, *run.on_one) : take_refused(one);
  }

  ExitStatus take_refused(const ScenarioCase& one) {
    table_.add_refused(one);
    if (folder_) folder_->drop(one.name);
    if (one.scenario.expects_refusal()) return ExitStatus::done;
    log_error(refusal_text(one));
    return ExitStatus::bad_input;
  }

  ExitStatus take_one(const ScenarioCase& one, const CaseRun& run) {
    if (folder_) files_.add(one, run, *folder_);
    const ExitStatus status = status_of(one, run);
    table_.add(one, run.record());
    const RunReport report = run.report();
    notes_.add(one.name, notes_of(report), notes_on_clocks(report.device, report.record));
    show(one, run);
    return status;
  }

  ExitStatus take_several(const ScenarioCase& one, const KeptDevices& run) {
    const DevicesOutput output(one, run, changes_of(one, options_));
    if (folder_) files_.add(one, output, *folder_);
    table_.add(one, run.record());
    output.add_notes(is_single() ? "" : one.name + ", ", notes_);
    show(output);
    return report_end(name_of(one), run.record());
  }

  static const std::string& name_of(const ScenarioCase& one) {
    return one.name.empty() ? one.scenario.title : one.name;
  }

  static ExitStatus status_of(const ScenarioCase& one, const CaseRun& run) {
    if (const Repetitions* all = run.repetitions(); all != nullptr && all->runs.size() < all->planned) {
      log_warning(fmt::format("{} was interrupted after {} of {} runs", name_of(one), all->runs.size(), all->planned));
      return ExitStatus::interrupted;
    }
    return report_end(name_of(one), run.record());
  }

  void show(const ScenarioCase& one, const CaseRun& run) {
    const auto& [print, folder, sample, is_output_taken, run_options, jobs] = arguments_;
    if (print) {
      print->write(run.report(changes_of(one, options_)), context_.out);
    } else if (sample && !folder) {
      write_samples_csv(run.report(), *sample, context_.out);
    } else if (shows_text() && is_single()) {
      context_.out.show(run_text(run.report()));
    }
    if (chart_ == Chart::too_large)
      context_.out.show("No chart: the timeline of so many " + one.scenario.device.terms.work_group +
                        "s may be too large to keep; --chart draws it all the same.\n");
    if (chart_ == Chart::yes) show_chart(chart_text(run.report(), terminal_glyphs()));
  }

  void show(const DevicesOutput& output) {
    const auto& [print, folder, sample, is_output_taken, run_options, jobs] = arguments_;
    if (print) {
      output.write(*print, context_.out);
    } else if (sample && !folder) {
      output.write_samples(*sample, context_.out);
    } else if (shows_text() && is_single()) {
      context_.out.show(output.text());
    }
    if (chart_ == Chart::yes) show_chart(output.chart(terminal_glyphs()));
  }

  void show_chart(const std::string& chart) { context_.out.show((arguments_.folder ? "" : "\n") + chart); }

  void finish_cases() {
    if (folder_) {
      RunFiles::add_cases(table_, cases_.front().scenario.title, *folder_);
    } else if (table_.size() > 1 && !arguments_.is_output_taken) {
      context_.out.show(table_.text());
      for (const std::string& note : notes_.texts()) context_.out.show(printable(note) + "\n");
    }
  }

  CommandContext& context_;
  const Options& options_;
  const RunArguments arguments_;
  const RunFiles files_;
  SourceFiles sources_;
  const std::vector<ScenarioCase> cases_;
  Chart chart_ = Chart::no;
  std::unique_ptr<OutputFolder> folder_;  ///< null without `-o`
  CasesTable table_;
  CaseNotes notes_;
};

ExitStatus execute_run(CommandContext& context) { return RunCall(context).run(); }

}  // namespace

Command run_command() {
  const CommandSpec spec{
      "run",
      "SCENARIO.yaml",
      "a scenario: its phases of occupancy, every table as CSV",
      "Runs the scenario and shows its phases of occupancy. SCENARIO may be - for standard input.\n"
      "A case that the device refuses is listed as refused; the others run.\n"
      "Exit status: 0 done, or at a bound that was asked for; 2 bad input, or a refused case that does not expect\n"
      "it or is the only one; 3 the run stalled, 130 it was interrupted (files up to that instant are written).",
      "  gdsim run scenarios/vector_add4.yaml\n"
      "  gdsim run scenarios/vector_add4.yaml -o out        # timeline.csv, cores.csv, phases.csv, ...\n"
      "  gdsim run scenarios/vector_add4.yaml --set dispatch.ports=3 --print timeline\n"
      "  gdsim run scenarios/vector_add2.yaml --case n44",
      run_option_specs()};
  return {spec, execute_run};
}

}  // namespace gdsim::cli
