#pragma once

#include "commands/case_run.hpp"
#include "options/exit_status.hpp"
#include "options/options.hpp"

#include <gdsim/analysis/run_view.hpp>
#include <gdsim/explain/explain.hpp>
#include <gdsim/report/html/cases_page.hpp>
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
  /// The runs that help() links to exist: --explain found savings.
  bool has_changed_runs() const;
  /// Runs what saves most, each thing by itself, and adds each run as a case, under the name that view() links to.
  void add_changed_runs(CasesPage& page) const;
  /// report_end() of it.
  ExitStatus report_end() const;

 private:
  void keep_explanation(const Explanation& explanation);

  const ScenarioCase& case_;
  const Options& options_;
  SwitchedRunOptions without_progress_;
  std::optional<CaseRun> run_;
  /// Nothing without --explain, or if the run or explain() did not complete.
  std::optional<std::vector<ExplainRow>> help_;
};

/// A page, and what the runs that it shows mean for the exit status.
struct DrawnPage {
  std::string text;
  ExitStatus status = ExitStatus::done;
};

/// Runs cases, one after the other, and draws their page: that of a run if there is one case, else one of all, under
/// `title`. What the device refuses of several is said there, and logged. After one that was interrupted no other
/// begins. `served`: as write_html_report(). Throws InputError as PageRun does.
DrawnPage draw_page(const std::string& title, const std::vector<ScenarioCase>& cases, const Options& options,
                    const SwitchedRunOptions& run_options, const ServedPage* served = nullptr);
/// Runs a case of several devices and draws them below each other as one SVG.
DrawnPage draw_devices_picture(const ScenarioCase& one, const Options& options, const SwitchedRunOptions& run_options);

}  // namespace gdsim::cli
