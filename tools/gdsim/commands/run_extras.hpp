#pragma once

#include "options/options.hpp"
#include "output/output_file.hpp"
#include "terminal/progress_line.hpp"

#include <gdsim/report/trace/perfetto_trace.hpp>
#include <gdsim/run/ensemble/ensemble.hpp>
#include <gdsim/run/simulate.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <deque>
#include <optional>
#include <vector>

namespace gdsim::cli {

/// What `gdsim run` does besides its tables during a run: a trace, and a line of progress where standard error is a
/// terminal.
class RunExtras {
 public:
  /// Throws UsageError if the options do not fit these cases.
  RunExtras(const Options& options, const std::vector<ScenarioCase>& cases, const FileRegister& inputs,
            StandardOutput& out);

  /// Lets them watch a run of `scenario`, whose launches wait for each other as `graph` says. Both must outlive it.
  void attach(const Scenario& scenario, const LaunchGraph& graph, RunOptions& options);
  /// The same of one of several devices that run together. There is no line of progress.
  void attach_device(const Scenario& scenario, std::size_t device, const LaunchGraph& graph, RunOptions& options);
  /// Instants of all devices go into one trace, in their order.
  Pace pace() const { return trace_file_ ? Pace::together : Pace::apart; }
  /// After each run, of each device in the order of attach_device().
  void on_run_end(const RunRecord& record);
  /// After the last run.
  void finish();

  static std::vector<OptionSpec> option_specs();

 private:
  std::optional<OutputFile> trace_file_;
  std::string trace_name_;
  std::deque<PerfettoTrace> traces_;  ///< of one device, or of each
  std::size_t finished_ = 0;          ///< of them
  std::optional<ProgressLine> progress_;
};

}  // namespace gdsim::cli
