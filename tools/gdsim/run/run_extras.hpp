#pragma once

#include "options/options.hpp"
#include "output/output_files.hpp"
#include "terminal/progress.hpp"

#include <gdsim/report/trace/perfetto_trace.hpp>
#include <gdsim/run/ensemble/ensemble.hpp>
#include <gdsim/run/simulate.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <deque>
#include <optional>
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

}  // namespace gdsim::cli
