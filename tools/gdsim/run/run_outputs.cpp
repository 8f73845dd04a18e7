#include "run/run_outputs.hpp"

#include "cases/case_run.hpp"
#include "cases/cases_output.hpp"
#include "cases/earlier_run.hpp"
#include "options/shared_options.hpp"
#include "output/output_folder.hpp"
#include "output/sinks.hpp"
#include "terminal/log.hpp"
#include "terminal/program.hpp"
#include "terminal/terminal.hpp"

#include <gdsim/base/text.hpp>
#include <gdsim/report/csv/csv_tables.hpp>
#include <gdsim/report/json/summary_json.hpp>
#include <gdsim/report/text/run_text.hpp>

#include <unistd.h>

#include <filesystem>

namespace gdsim::cli {

RunExtras::RunExtras(const Options& options, const std::vector<ScenarioCase>& cases, const FileRegister& inputs,
                     StandardOutput& out) {
  const auto trace = options.value("trace");
  if (!trace) return;
  if (trace->empty()) throw UsageError("--trace is empty");
  require_one_case(cases, "--trace");
  require_durations(cases.front().scenario);
  if (is_standard_output(*trace) && isatty(STDOUT_FILENO) == 1)
    throw UsageError("--trace - would write bytes to a terminal; send them to a file or a pipe");
  trace_file_.emplace(NamedOutput{"--trace " + *trace, *trace}, inputs, out);
  trace_name_ = *trace;
}

void RunExtras::watch(PerfettoTrace& trace, RunOptions& options) {
  options.observers.push_back(&trace);
  options.wait_series.push_back(&trace.waits());
}

void RunExtras::attach(const Scenario& scenario, const LaunchGraph& graph, RunOptions& options) {
  if (trace_file_)
    watch(traces_.emplace_back(scenario.title, scenario.device, scenario.workload, graph, trace_file_->sink()),
          options);
  if (is_terminal(STDERR_FILENO)) options.observers.push_back(&progress_.emplace(scenario.workload));
}

void RunExtras::attach_device(const Scenario& scenario, std::size_t device, const LaunchGraph& graph,
                              RunOptions& options) {
  if (!trace_file_) return;
  const Scenario& device_scenario = scenario.devices[device];
  watch(traces_.emplace_back(device_scenario.device_name + ": " + scenario.title, device_scenario.device,
                             device_scenario.workload, graph, trace_file_->sink(), device),
        options);
}

void RunExtras::on_run_end(const RunRecord& record) {
  progress_.reset();
  if (finished_ < traces_.size()) traces_[finished_++].finish(record);
}

void RunExtras::finish() {
  if (traces_.empty()) return;
  trace_file_->commit();
  log_info("wrote " + trace_name_);
}

std::vector<OptionSpec> RunExtras::option_specs() {
  return in_group(kWhatIsWritten,
                  {{"trace", 0, "FILE", "a trace for the Perfetto viewer (.pftrace; - for standard output)"}});
}

RunDisplay::RunDisplay(const RunArguments& arguments, const Options& options, const std::vector<ScenarioCase>& cases,
                       StandardOutput& out)
    : arguments_(arguments),
      options_(options),
      out_(out),
      has_text_(!arguments.print && !arguments.folder && !arguments.sample),
      is_single_(cases.size() == 1) {
  if (arguments.print) require_one_case(cases, "--print");
  if (arguments.sample && !arguments.folder) require_one_case(cases, "--sample without -o DIR");
  if (options.has("chart")) require_one_case(cases, "--chart");
  chart_ = choose_chart(cases);
}

/// Draws a chart with --chart, or on a terminal unless the timeline of a run could outgrow memory, or has no times.
RunDisplay::Chart RunDisplay::choose_chart(const std::vector<ScenarioCase>& cases) const {
  constexpr std::uint64_t max_work_groups = 1'000'000;
  if (options_.has("chart")) {
    for (const ScenarioCase& scenario_case : cases) require_durations(scenario_case.scenario);
    return Chart::yes;
  }
  if (!has_text_ || !has_durations(cases.front().scenario) || arguments_.is_output_taken || !is_single_ ||
      !is_terminal(STDOUT_FILENO))
    return Chart::no;
  const bool is_large = work_groups_up_to(max_work_groups, cases.front().scenario) > max_work_groups;
  return is_large ? Chart::too_large : Chart::yes;
}

ChartStyle RunDisplay::chart_style() const {
  return {terminal_glyphs(), terminal_width(STDOUT_FILENO),
          is_colored(parse_color(options_.value("color")), STDOUT_FILENO)};
}

void RunDisplay::add_needs(std::set<Keeps>& needed) const {
  if (chart_ == Chart::yes) needed.insert({Keeps::timeline, Keeps::cores});
  if (chart_ == Chart::yes || has_text_) needed.insert(Keeps::waits);
}

void RunDisplay::show(const ScenarioCase& scenario_case, const CaseRun& run) {
  if (arguments_.print) {
    arguments_.print->write(run.report(changes_of(scenario_case, options_)), out_);
  } else if (arguments_.sample && !arguments_.folder) {
    samples_table(*arguments_.sample)->write(run.report(), out_);
  } else if (has_text_ && is_single_ && !arguments_.is_output_taken) {
    out_.show(run_text(run.report()));
    if (lacks_other_commands()) out_.show("All other commands: `tools/build release` builds them.\n");
  }
  if (chart_ == Chart::too_large)
    out_.show("No chart: the timeline of so many " + scenario_case.scenario.device.terms.work_group +
              "s may be too large to keep; --chart draws it all the same.\n");
  if (chart_ == Chart::yes) show_chart(chart_text(run.report(), chart_style()));
}

void RunDisplay::show(const DevicesOutput& output) {
  if (arguments_.print) {
    output.write(*arguments_.print, out_);
  } else if (arguments_.sample && !arguments_.folder) {
    output.write_samples(*arguments_.sample, out_);
  } else if (has_text_ && is_single_ && !arguments_.is_output_taken) {
    out_.show(output.text());
  }
  if (chart_ == Chart::yes) show_chart(output.chart(chart_style()));
}

void RunDisplay::show(const CasesTable& cases, const CaseNotes& notes) {
  if (cases.size() <= 1 || arguments_.is_output_taken) return;
  out_.show(cases.text());
  for (const std::string& note : notes.texts()) out_.show(printable(note) + "\n");
}

void RunDisplay::show_chart(const std::string& chart) { out_.show((arguments_.folder ? "" : "\n") + chart); }

namespace {

constexpr const char* kSamplesFile = "samples.csv";
constexpr const char* kCasesFile = "cases.csv";

}  // namespace

std::vector<NamedOutput> RunFiles::outputs(const std::vector<ScenarioCase>& cases) const {
  std::vector<NamedOutput> outputs;
  if (const auto trace = options_.value("trace")) outputs.push_back({"--trace " + *trace, *trace});
  const auto& folder = arguments_.folder;
  if (!folder) return outputs;
  if (!outputs.empty()) require_outside(outputs.front(), *folder);
  for (const auto& [part, names] : by_part(cases))
    for (const std::string& name : names)
      outputs.push_back({"-o " + *folder, std::filesystem::path(*folder) / part / name});
  return outputs;
}

std::map<std::string, std::vector<std::string>> RunFiles::by_part(const std::vector<ScenarioCase>& cases) const {
  std::map<std::string, std::vector<std::string>> files;
  for (const ScenarioCase& scenario_case : cases) {
    if (cases.size() > 1 && !scenario_case.scenario.refusals.empty()) continue;
    std::vector<std::string>& names = files[scenario_case.name];
    names = {kScenarioFile};
    for (const Format& format : tables_of(scenario_case.scenario)) names.emplace_back(format.file);
    if (arguments_.sample) names.emplace_back(kSamplesFile);
    if (!scenario_case.name.empty()) files[""] = {kCasesFile, kSummaryFile};
  }
  return files;
}

std::vector<Format> RunFiles::tables_of(const Scenario& scenario) const {
  std::vector<Format> tables = formats_;
  std::erase_if(tables, [&](const Format& format) { return lacks(scenario, format).has_value(); });
  return tables;
}

void RunFiles::add(const ScenarioCase& scenario_case, const CaseRun& run, OutputFolder& folder) const {
  RunReport report = run.report(changes_of(scenario_case, options_));
  add_scenario(scenario_case, folder);
  for (const Format& format : tables_of(scenario_case.scenario))
    if (format.file != kSummaryFile)
      folder.add(scenario_case.name, std::string(format.file), [&](Sink& sink) { format.write(report, sink); });
  if (const auto& sample = arguments_.sample)
    folder.add(scenario_case.name, kSamplesFile, [&](Sink& sink) { samples_table(*sample)->write(report, sink); });
  folder.add_summary(scenario_case.name, [&](Sink& sink, const FolderFacts& facts) {
    report.folder = facts;
    write_summary_json(report, sink);
  });
}

void RunFiles::add(const ScenarioCase& scenario_case, const DevicesOutput& output, OutputFolder& folder) const {
  add_scenario(scenario_case, folder);
  output.add_files(folder, formats_, arguments_.sample);
}

void RunFiles::add_cases(const CasesTable& cases, const std::string& title, OutputFolder& folder) {
  folder.add("", kCasesFile, [&](Sink& sink) { cases.write_csv(sink); });
  folder.add_summary("", [&](Sink& sink, const FolderFacts& facts) { cases.write_summary(title, facts, sink); });
}

void RunFiles::add_scenario(const ScenarioCase& scenario_case, OutputFolder& folder) {
  folder.add(scenario_case.name, kScenarioFile, [&](Sink& sink) { sink.write(scenario_case.effective); });
}

}  // namespace gdsim::cli
