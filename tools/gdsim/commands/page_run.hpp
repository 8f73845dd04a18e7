#pragma once

#include "commands/case_run.hpp"
#include "options/exit_status.hpp"
#include "options/options.hpp"

#include <gdsim/analysis/run_view.hpp>
#include <gdsim/report/html/served_page.hpp>

#include <optional>
#include <string>
#include <vector>

namespace gdsim::cli {

/// `--scale`, as commands that draw a run have it. Throws UsageError if it is none.
FigureScale read_scale(const Options& options);
OptionSpec scale_option_spec();

/// `--explain`, as commands that make a page have it.
OptionSpec explain_option_spec();

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
  /// Nothing without --explain, or if the run or explain() did not complete.
  std::optional<std::vector<ExplainRow>> help_;
};

/// A page, and what the runs that it shows mean for the exit status.
struct DrawnPage {
  std::string text;
  ExitStatus status = ExitStatus::done;
};

/// Runs the cases of a scenario, one after the other, and draws their page: that of a run if there is one case, else
/// one of all. What the device refuses of several is said there, and logged. After one that was interrupted no other
/// begins. `served`: as write_html_report(). Throws InputError as PageRun does.
DrawnPage draw_page(const std::vector<ScenarioCase>& cases, const Options& options,
                    const SwitchedRunOptions& run_options, const ServedPage* served = nullptr);

}  // namespace gdsim::cli
