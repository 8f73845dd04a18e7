#pragma once

#include "cases/case_run.hpp"
#include "options/options.hpp"
#include "terminal/program.hpp"

#include <gdsim/analysis/run_view.hpp>
#include <gdsim/explain/explain.hpp>
#include <gdsim/page/html/html_report.hpp>
#include <gdsim/page/html/page_bodies.hpp>

#include <optional>
#include <string>
#include <vector>

namespace gdsim::cli {

/// Reads `--scale`. Throws UsageError if its value is not a scale.
FigureScale read_scale(const Options& options);
OptionSpec scale_option_spec();

/// The option `--explain` of commands that make a page.
OptionSpec explain_option_spec();

/// A run of one case of a scenario, with all that its page shows.
class PageRun {
 public:
  /// `one` and `options` (of the command line) must outlive this. Shows progress on a terminal. Throws InputError as
  /// CaseRun does.
  PageRun(const ScenarioCase& scenario_case, const Options& options, InternalRunOptions run_options);

  const RunRecord& record() const { return run_->record(); }
  RunView view() const;
  /// Returns true if help() links to changed runs: --explain found savings.
  bool has_changed_runs() const;
  /// Runs the changes that save most, one per run, and adds each run as a case under the name that view() links to.
  void add_changed_runs(CasesPage& page) const;
  /// report_end() of this run.
  ExitStatus report_end() const;

 private:
  void keep_explanation(const Explanation& explanation);

  const ScenarioCase& case_;
  const Options& options_;
  InternalRunOptions without_progress_;
  std::optional<CaseRun> run_;
  /// nullopt without --explain, or if the run or explain() did not complete.
  std::optional<std::vector<ExplainRow>> help_;
};

/// A page and the exit status of the runs that it shows.
struct DrawnPage {
  std::string text;
  ExitStatus status = ExitStatus::done;
  std::optional<SimTime> end = {};  ///< of the run, if it was one
};

/// Runs cases one after the other and draws their page: the page of a run if there is one case, else a page of all
/// under `title`. Cases that the device refuses are listed there and logged if there are several. No case begins after
/// an interrupted one. `served`: as write_html_report(). Throws InputError as PageRun does.
DrawnPage draw_page(const std::string& title, const std::vector<ScenarioCase>& cases, const Options& options,
                    const InternalRunOptions& run_options, const ServedPage* served = nullptr);
/// Runs a case and draws it as one SVG; several devices below each other. Throws InputError as PageRun does.
DrawnPage draw_picture(const ScenarioCase& scenario_case, const Options& options,
                       const InternalRunOptions& run_options);

}  // namespace gdsim::cli
