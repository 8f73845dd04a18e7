#include "commands/run_command.hpp"

#include "commands/case_run.hpp"
#include "commands/cases_table.hpp"
#include "commands/devices_output.hpp"
#include "commands/printed_format.hpp"
#include "commands/run_end.hpp"
#include "commands/run_extras.hpp"
#include "options/run_bounds.hpp"
#include "options/scenario_arguments.hpp"
#include "output/check_suffix.hpp"
#include "output/named_outputs.hpp"
#include "output/output_folder.hpp"
#include "output/own_files.hpp"
#include "terminal/log.hpp"
#include "terminal/terminal.hpp"

#include <gdsim/analysis/notes.hpp>
#include <gdsim/analysis/notes/case_notes.hpp>
#include <gdsim/analysis/notes/clock_note.hpp>
#include <gdsim/base/printable.hpp>
#include <gdsim/compile/compiled_parts.hpp>
#include <gdsim/report/csv/samples_csv.hpp>
#include <gdsim/report/json/summary_json.hpp>
#include <gdsim/report/text/run_text.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <unistd.h>

#include <fmt/format.h>

#include <map>
#include <memory>

namespace gdsim::cli {
namespace {

/// The file of the scenario as it was run, beside its tables. Its name does not clash with files of users.
constexpr const char* kScenarioFile = "scenario_as_run.yaml";
constexpr const char* kSamplesFile = "samples.csv";
constexpr const char* kCasesFile = "cases.csv";

Duration parse_sample(const std::string& text) {
  const auto interval = parse_duration(text);
  if (!interval.value) throw UsageError("--sample is " + in_quotes(text) + ", which " + interval.problem);
  if (interval.value->count == 0) throw UsageError("--sample is " + in_quotes(text) + "; a time above 0 is needed");
  return *interval.value;
}

/// One call of `gdsim run`.
class RunCall {
 public:
  explicit RunCall(CommandContext& context) : context_(context), options_(context.options) {
    const std::size_t files = options_.arguments().size();
    if (files != 1) throw UsageError("run needs one scenario file, " + std::to_string(files) + " were given");
    for (const char* name : {"output", "case"})
      if (options_.value(name) == "") throw UsageError(std::string("--") + name + " is empty");
    if (const auto name = options_.value("print")) print_ = printed_format(*name);
    if (const auto interval = options_.value("sample")) sample_ = parse_sample(*interval);
    if (print_ && sample_ && !options_.value("output")) throw UsageError("--print and --sample exclude each other");
    folder_ = options_.value("output");
    if (folder_ == "-")
      throw UsageError(
          "-o needs a folder (one that is called so: -o ./-); --print NAME writes one table to standard output");
    is_output_taken_ = options_.value("trace") == "-";
    if (is_output_taken_ && (print_ || options_.has("chart") || (sample_ && !folder_)))
      throw UsageError(
          "--trace - writes to standard output, and so does --print, --chart or --sample; one of them can");
    if (folder_) require_folder_name(*folder_);
    run_options_ = context.run_options;
    run_options_.bounds = read_run_bounds(options_);
    if (options_.has("no-fast-forward")) run_options_.fast_forward = FastForward::no;
    jobs_ = jobs_of(options_);
    if (print_ && options_.has("chart")) throw UsageError("--print and --chart exclude each other");
  }

  ExitStatus run() {
    SourceFiles sources(context_.inputs);
    const auto cases = read_cases(options_.arguments().front(), scenario_options(options_), sources);
    if (print_) require_one_case(cases, "--print");
    if (sample_ && !folder_) require_one_case(cases, "--sample without -o DIR");
    chart_ = wants_chart(cases);
    require_free(named_outputs(cases), context_.inputs);
    std::unique_ptr<OutputFolder> folder;
    if (folder_) {
      folder = std::make_unique<OutputFolder>(*folder_, context_.inputs);
      folder->require_own(files_of(cases));
    }
    RunExtras extras(options_, cases, context_.inputs, context_.out);
    ExitStatus status = ExitStatus::done;
    std::vector<std::unique_ptr<CaseRun>> runs(cases.size());
    std::vector<std::unique_ptr<KeptDevices>> device_runs(cases.size());
    const bool is_single = cases.size() == 1;
    const auto run_case = [&](std::size_t i) {
      const Scenario& scenario = cases[i].scenario;
      if (!is_single && !scenario.refusals.empty()) return;
      InternalRunOptions run_options = run_options_;
      const bool is_watched = is_single || jobs_.count == 1;  // else runs would overwrite each other's progress
      if (!scenario.devices.empty()) {
        device_runs[i] = run_devices(scenario, extras, is_watched, is_single ? jobs_ : Jobs{});
        return;
      }
      const Compiled compiled = compile_case(scenario);
      if (is_watched) extras.attach(scenario, graph_of(compiled), run_options);
      runs[i] = std::make_unique<CaseRun>(scenario, compiled, keeps(scenario), run_options, is_single ? jobs_ : Jobs{},
                                          sample_);
      if (is_watched) extras.on_run_end(runs[i]->record());
    };
    const auto take_case = [&](std::size_t i) {
      status =
          worse(status, device_runs[i] != nullptr ? take_devices(cases[i], *device_runs[i], cases.size(), folder.get())
                                                  : take(cases[i], runs[i].get(), cases.size(), folder.get()));
      runs[i].reset();
      device_runs[i].reset();
      return status == ExitStatus::interrupted ? Proceed::no : Proceed::yes;
    };
    parallel_for_in_order(cases.size(), jobs_, run_case, take_case);
    if (!cases.front().name.empty()) finish_cases(folder.get(), cases.front().scenario.title);
    if (folder) {
      folder->commit();
      log_info("wrote " + *folder_);
    }
    extras.finish();
    context_.out.flush();
    return status;
  }

 private:
  std::unique_ptr<KeptDevices> run_devices(const Scenario& scenario, RunExtras& extras, bool is_watched,
                                           Jobs jobs) const {
    if (!scenario.refusals.empty()) throw InputError(scenario.refusals);
    const auto attach = [&](std::size_t device, const Compiled& compiled, RunOptions& options) {
      if (is_watched) extras.attach_device(scenario, device, graph_of(compiled), options);
    };
    const KeptDevices::How how{sample_, attach, jobs, extras.pace()};
    auto run = std::make_unique<KeptDevices>(scenario, keeps(scenario), run_options_, how);
    for (const auto& one : run->devices()) extras.on_run_end(one->record());
    return run;
  }

  ExitStatus take_devices(const ScenarioCase& one, const KeptDevices& run, std::size_t cases, OutputFolder* folder) {
    const DevicesOutput output(one, run, changes_of(one, options_));
    if (folder != nullptr) {
      folder->add(one.name, kScenarioFile, [&](Sink& sink) { sink.write(one.effective); });
      output.add_files(*folder, formats_, sample_);
    }
    table_.add(one, run.record());
    output.add_notes(cases > 1 ? one.name + ", " : "", notes_);
    if (print_) {
      output.write(*print_, context_.out);
    } else if (sample_ && !folder_) {
      output.write_samples(*sample_, context_.out);
    } else if (!folder_ && cases == 1 && !is_output_taken_) {
      context_.out.show(output.text());
    }
    if (chart_) context_.out.show((folder_ ? "" : "\n") + output.chart(terminal_glyphs()));
    return report_end(one.name.empty() ? one.scenario.title : one.name, run.record());
  }

  /// Writes or shows the results of a case. A null `result` means that the device refuses the case.
  ExitStatus take(const ScenarioCase& one, const CaseRun* result, std::size_t cases, OutputFolder* folder) {
    if (result == nullptr) {
      table_.add_refused(one);
      if (!one.scenario.expects_refusal()) log_error(refusal_text(one));
      if (folder != nullptr) folder->drop(one.name);
      return one.scenario.expects_refusal() ? ExitStatus::done : ExitStatus::bad_input;
    }
    if (folder != nullptr) add_files(*folder, one, *result);
    const ExitStatus status = status_of(one, *result);
    table_.add(one, result->record());
    const RunReport report = result->report();
    notes_.add(one.name, notes_of(report), notes_on_clocks(report.device, report.record));
    show(one, *result, cases);
    return status;
  }

  ExitStatus status_of(const ScenarioCase& one, const CaseRun& result) const {
    const std::string& name = one.name.empty() ? one.scenario.title : one.name;
    if (const Repetitions* all = result.repetitions(); all != nullptr && all->runs.size() < all->planned) {
      log_warning(fmt::format("{} was interrupted after {} of {} runs", name, all->runs.size(), all->planned));
      return ExitStatus::interrupted;
    }
    return report_end(name, result.record());
  }

  /// Returns true with --chart, or on a terminal unless the timeline of a run could outgrow memory.
  bool wants_chart(const std::vector<ScenarioCase>& cases) {
    constexpr std::uint64_t max_work_groups = 1'000'000;
    if (options_.has("chart")) {
      require_one_case(cases, "--chart");
      return true;
    }
    if (print_ || folder_ || sample_ || is_output_taken_ || cases.size() > 1 || !is_terminal(STDOUT_FILENO))
      return false;
    chart_is_too_large_ = work_groups_up_to(max_work_groups, cases.front().scenario) > max_work_groups;
    return !chart_is_too_large_;
  }

  static bool can_write(const Format& format, const Scenario& scenario) { return !lacks(scenario, format); }

  std::set<Keeps> keeps(const Scenario& scenario) const {
    std::set<Keeps> needed;
    if (folder_)
      for (const Format& format : formats_)
        if (can_write(format, scenario)) needed.insert(format.keeps);
    if (print_) needed.insert(print_->keeps);
    if (scenario.repeat > 1 && !print_) needed.insert(Keeps::repetitions);
    if (print_)
      if (const auto lacking = lacks(scenario, *print_))
        throw UsageError("--print " + std::string(print_->name) + " needs " + *lacking);
    if (sample_) needed.insert(Keeps::timeline);
    if (chart_) needed.insert({Keeps::timeline, Keeps::cores});
    if (needed.contains(Keeps::waits)) needed.insert(Keeps::timeline);
    if (chart_ || (!print_ && !folder_ && !sample_)) needed.insert(Keeps::waits);  // the text needs no timeline
    return needed;
  }

  /// Returns the files that each folder will hold.
  std::map<std::string, std::vector<std::string>> files_of(const std::vector<ScenarioCase>& cases) const {
    std::map<std::string, std::vector<std::string>> files;
    for (const ScenarioCase& one : cases) {
      if (cases.size() > 1 && !one.scenario.refusals.empty()) continue;
      std::vector<std::string>& names = files[one.name];
      names = {kScenarioFile};
      for (const Format& format : formats_)
        if (can_write(format, one.scenario)) names.emplace_back(format.file);
      if (sample_) names.emplace_back(kSamplesFile);
      if (!one.name.empty()) files[""] = {kCasesFile, kSummaryFile};
    }
    return files;
  }

  /// Returns the trace and every file that a folder will hold.
  std::vector<NamedOutput> named_outputs(const std::vector<ScenarioCase>& cases) const {
    std::vector<NamedOutput> outputs;
    if (const auto trace = options_.value("trace")) outputs.push_back({"--trace " + *trace, *trace});
    if (!folder_) return outputs;
    for (const auto& [part, names] : files_of(cases))
      for (const std::string& name : names)
        outputs.push_back({"-o " + *folder_, std::filesystem::path(*folder_) / part / name});
    return outputs;
  }

  void add_files(OutputFolder& folder, const ScenarioCase& one, const CaseRun& result) const {
    RunReport report = result.report(changes_of(one, options_));
    folder.add(one.name, kScenarioFile, [&](Sink& sink) { sink.write(one.effective); });
    for (const Format& format : formats_)
      if (can_write(format, one.scenario) && format.file != kSummaryFile)
        folder.add(one.name, std::string(format.file), [&](Sink& sink) { format.write(report, sink); });
    if (sample_) folder.add(one.name, kSamplesFile, [&](Sink& sink) { write_samples_csv(report, *sample_, sink); });
    folder.add_summary(one.name, [&](Sink& sink, const std::vector<ListedFile>& files) {
      report.files = files;
      write_summary_json(report, sink);
    });
  }

  void show(const ScenarioCase& one, const CaseRun& result, std::size_t cases) {
    if (print_) {
      print_->write(result.report(changes_of(one, options_)), context_.out);
    } else if (sample_ && !folder_) {
      write_samples_csv(result.report(), *sample_, context_.out);
    } else if (!folder_ && cases == 1 && !is_output_taken_) {
      context_.out.show(run_text(result.report()));
    }
    if (chart_is_too_large_ && !is_output_taken_)
      context_.out.show("No chart: the timeline of so many " + one.scenario.device.terms.work_group +
                        "s may be too large to keep; --chart draws it all the same.\n");
    if (chart_) context_.out.show((folder_ ? "" : "\n") + chart_text(result.report(), terminal_glyphs()));
  }

  void finish_cases(OutputFolder* folder, const std::string& title) {
    if (folder != nullptr) {
      folder->add("", kCasesFile, [this](Sink& sink) { table_.write_csv(sink); });
      folder->add_summary(
          "", [&](Sink& sink, const std::vector<ListedFile>& files) { table_.write_summary(title, files, sink); });
    } else if (table_.size() > 1 && !is_output_taken_) {
      context_.out.show(table_.text());
      for (const std::string& note : notes_.texts()) context_.out.show(printable(note) + "\n");
    }
  }

  CommandContext& context_;
  const Options& options_;
  std::vector<Format> formats_ = built_in_formats();
  std::optional<Format> print_;
  std::optional<std::string> folder_;
  InternalRunOptions run_options_;
  std::optional<Duration> sample_;
  bool is_output_taken_ = false;  ///< only a trace goes to standard output
  bool chart_ = false;
  bool chart_is_too_large_ = false;  ///< to be drawn without --chart
  Jobs jobs_;
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
      "it or is the only one; 3 the run stalled, 130 it was interrupted (files up to that instant are written).",
      "  gdsim run scenarios/vector_add4.yaml\n"
      "  gdsim run scenarios/vector_add4.yaml -o out        # timeline.csv, cores.csv, phases.csv, ...\n"
      "  gdsim run scenarios/vector_add4.yaml --set dispatch.ports=3 --print timeline\n"
      "  gdsim run scenarios/vector_add2.yaml --case n44",
      scenario_option_specs()};
  const std::vector<OptionSpec> outputs =
      in_group(kWhatIsWritten,
               {{"output", 'o', "DIR", "all tables into DIR, all or none; cases into DIR/CASE"},
                {"print", 0, "NAME",
                 "one of them to standard output: timeline, cores, phases, work-groups, summary, launches, kernels, "
                 "group-states, graph, time-use; of core groups groups; under preemption slices; of a repeated run "
                 "repetitions, bands; "
                 "block-times (JSON of UNC's "
                 "cuda_scheduling_examiner)",
                 Times::once,
                 "timeline cores phases work-groups summary launches kernels group-states graph time-use groups "
                 "slices repetitions bands "
                 "block-times"},
                {"sample", 0, "TIME", "means over such intervals, as a profiler samples; with -o samples.csv"},
                {"chart", 0, "", "the timeline as a chart (always on a terminal; ASCII without UTF-8)"}});
  spec.options.insert(spec.options.end(), outputs.begin(), outputs.end());
  for (const OptionSpec& option : RunExtras::option_specs()) spec.options.push_back(option);
  spec.options.push_back({"no-fast-forward", 0, "", "simulate every event: slower, the same results", Times::once, "",
                          "no-skip", kHowItRuns});
  spec.options.push_back(jobs_option_spec());
  for (const OptionSpec& option : run_bounds_option_specs()) spec.options.push_back(option);
  return {spec, execute_run};
}

}  // namespace gdsim::cli
