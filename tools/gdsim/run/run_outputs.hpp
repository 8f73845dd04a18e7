#pragma once

#include "cases/case_run.hpp"
#include "cases/cases_output.hpp"
#include "options/options.hpp"
#include "output/named_outputs.hpp"
#include "output/output_files.hpp"
#include "output/output_folder.hpp"
#include "output/sinks.hpp"
#include "run/run_arguments.hpp"
#include "terminal/progress.hpp"

#include <gdsim/analysis/notes/device_notes.hpp>
#include <gdsim/report/trace/perfetto_trace.hpp>
#include <gdsim/run/ensemble/ensemble.hpp>
#include <gdsim/run/simulate.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gdsim::cli {

/// What `gdsim run` shows besides its tables during a run: a trace, and a progress line if standard error is a
/// terminal.
class RunExtras {
 public:
  /// Throws UsageError if the options do not fit these cases.
  RunExtras(const Options& options, const std::vector<ScenarioCase>& cases, const FileRegister& inputs,
            StandardOutput& out);

  /// Attaches them to a run of `scenario`, whose dependencies are `graph`. Both must outlive the run.
  void attach(const Scenario& scenario, const LaunchGraph& graph, RunOptions& options);
  /// The same for one of several devices that run together, without a progress line.
  void attach_device(const Scenario& scenario, std::size_t device, const LaunchGraph& graph, RunOptions& options);
  /// Instants of all devices go into one trace, in their order.
  Pace pace() const { return trace_file_ ? Pace::together : Pace::apart; }
  /// Must be called after each run: for each device in the order of attach_device().
  void on_run_end(const RunRecord& record);
  /// Must be called after the last run.
  void finish();

  static std::vector<OptionSpec> option_specs();

 private:
  static void watch(PerfettoTrace& trace, RunOptions& options);

  std::optional<OutputFile> trace_file_;
  std::string trace_name_;
  std::deque<PerfettoTrace> traces_;  ///< one per device
  std::size_t finished_ = 0;          ///< number of finished traces
  std::optional<ProgressLine> progress_;
};

/// What `gdsim run` shows on standard output: a table, samples, or text and a chart for a person.
class RunDisplay {
 public:
  /// All must outlive this. Throws UsageError if something is asked for that only one case can have.
  RunDisplay(const RunArguments& arguments, const Options& options, const std::vector<ScenarioCase>& cases,
             StandardOutput& out);

  /// Adds the data that a run must keep for text and chart.
  void add_needs(std::set<Keeps>& needed) const;
  void show(const ScenarioCase& scenario_case, const CaseRun& run);
  void show(const DevicesOutput& output);
  /// Shows several cases side by side, and what is to be noted of them.
  void show(const CasesTable& cases, const CaseNotes& notes);

 private:
  enum class Chart : std::uint8_t {
    no,
    yes,
    too_large  ///< to be drawn without --chart
  };

  Chart choose_chart(const std::vector<ScenarioCase>& cases) const;
  ChartStyle chart_style() const;
  void show_chart(const std::string& chart);

  const RunArguments& arguments_;
  const Options& options_;
  StandardOutput& out_;
  bool has_text_;  ///< for a person
  bool is_single_;
  Chart chart_;
};

/// The files that `gdsim run` writes: every table that a scenario can have, into the folder of `-o`, and a trace.
class RunFiles {
 public:
  /// Both must outlive this.
  RunFiles(const RunArguments& arguments, const Options& options) : arguments_(arguments), options_(options) {}

  /// Returns the trace and every file that a folder will hold. Throws UsageError if the trace lies in that folder.
  std::vector<NamedOutput> outputs(const std::vector<ScenarioCase>& cases) const;
  /// Returns the files that each part of the folder will hold.
  std::map<std::string, std::vector<std::string>> by_part(const std::vector<ScenarioCase>& cases) const;
  /// Returns the tables that the scenario can have.
  std::vector<Format> tables_of(const Scenario& scenario) const;

  /// Adds the files of a case to the folder.
  void add(const ScenarioCase& scenario_case, const CaseRun& run, OutputFolder& folder) const;
  void add(const ScenarioCase& scenario_case, const DevicesOutput& output, OutputFolder& folder) const;
  /// Adds the files of the folder that holds the cases.
  static void add_cases(const CasesTable& cases, const std::string& title, OutputFolder& folder);

 private:
  static void add_scenario(const ScenarioCase& scenario_case, OutputFolder& folder);

  const RunArguments& arguments_;
  const Options& options_;
  std::vector<Format> formats_ = built_in_formats();
};

}  // namespace gdsim::cli
