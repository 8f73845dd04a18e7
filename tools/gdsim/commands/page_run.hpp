#pragma once

#include "commands/case_run.hpp"
#include "options/exit_status.hpp"
#include "options/options.hpp"

#include <gdsim/analysis/run_view.hpp>

#include <optional>

namespace gdsim::cli {

/// `--scale`, as commands that draw a run have it. Throws UsageError if it is none.
FigureScale read_scale(const Options& options);
OptionSpec scale_option_spec();

/// One case of a scenario, run, with all that a page of it shows.
class PageRun {
 public:
  /// The case and the options, those of the command line, must outlive this. Progress goes to a terminal. Throws
  /// InputError as CaseRun does.
  PageRun(const ScenarioCase& one, const Options& options, SwitchedRunOptions run_options);

  const RunRecord& record() const { return run_->record(); }
  RunView view() const;
  /// report_end() of it.
  ExitStatus report_end() const;

 private:
  const ScenarioCase& case_;
  const Options& options_;
  std::optional<CaseRun> run_;
};

}  // namespace gdsim::cli
