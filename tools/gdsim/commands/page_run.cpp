#include "commands/page_run.hpp"

#include "commands/run_end.hpp"
#include "options/scenario_arguments.hpp"
#include "terminal/log.hpp"
#include "terminal/progress_line.hpp"
#include "terminal/terminal.hpp"

#include <gdsim/base/printable.hpp>
#include <gdsim/explain/explain.hpp>
#include <gdsim/report/html/cases_page.hpp>
#include <gdsim/report/html/html_report.hpp>
#include <gdsim/report/text_sink.hpp>

#include <unistd.h>

#include <set>
#include <utility>

namespace gdsim::cli {
namespace {

/// What an explanation says, for a page.
std::vector<ExplainRow> explain_rows(const Explanation& explanation) {
  std::vector<ExplainRow> rows;
  for (const ChangedRun& run : explanation.changed_runs) {
    const std::string sign = run.saves > 0 ? "-" : run.saves < 0 ? "+" : "";
    rows.push_back({run.what, run.duration, sign + saving_text(run.saves), run.saves > 0, run.sentence});
  }
  return rows;
}

std::string refusal_codes(const Scenario& scenario) {
  std::string text = "refused:";
  for (const Diagnostic& refusal : scenario.refusals) text += " " + refusal.code;
  return text;
}

}  // namespace

FigureScale read_scale(const Options& options) {
  const std::string scale = options.value("scale").value_or("fits");
  if (scale != "fits" && scale != "device")
    throw UsageError("--scale is " + in_quotes(scale) + "; known: fits, device, as in `--scale device`");
  return scale == "device" ? FigureScale::device : FigureScale::fits;
}

OptionSpec scale_option_spec() {
  return {"scale",
          0,
          "SCALE",
          "axes of threads: fits (default) ends them above what is held, if that is a fifth or less; device shows all",
          Times::once,
          "fits device"};
}

OptionSpec explain_option_spec() {
  return {"explain", 0, "", "show what would help, as `gdsim explain` finds it: a run for each thing that is tried"};
}

PageRun::PageRun(const ScenarioCase& one, const Options& options, SwitchedRunOptions run_options)
    : case_(one), options_(options) {
  if (options.has("explain")) require_durations(one.scenario);
  const SwitchedRunOptions without_progress = run_options;
  std::optional<ProgressLine> progress;
  if (is_terminal(STDERR_FILENO)) run_options.observers.push_back(&progress.emplace(one.scenario.workload));
  std::set<Keeps> keeps{Keeps::timeline, Keeps::cores, Keeps::group_states, Keeps::waits};
  if (may_keep_group_lives(one.scenario.workload)) keeps.insert(Keeps::work_groups);
  if (one.scenario.repeat > 1) keeps.insert(Keeps::repetitions);
  run_.emplace(one.scenario, keeps, run_options, all_cores());
  progress.reset();
  if (options.has("explain") && record().outcome == Outcome::completed) {
    const Explanation explanation = explain(one.scenario, without_progress, all_cores());
    if (explanation.outcome == Outcome::completed) help_ = explain_rows(explanation);
  }
}

RunView PageRun::view() const {
  RunView view = view_of(run_->report(changes_of(case_, options_)));
  view.scenario = case_.effective;
  view.scale = read_scale(options_);
  view.help = help_;
  if (options_.has("explain") && !help_)
    view.notes.emplace_back("What would help is not known: the run or its explanation did not complete.");
  return view;
}

ExitStatus PageRun::report_end() const {
  const std::string& name = case_.name.empty() ? case_.scenario.title : case_.name;
  if (options_.has("explain") && !help_ && record().outcome == Outcome::completed) {
    log_warning(name + " is not explained: that was interrupted");
    return ExitStatus::interrupted;
  }
  return cli::report_end(name, record());
}

DrawnPage draw_page(const std::vector<ScenarioCase>& cases, const Options& options,
                    const SwitchedRunOptions& run_options, const ServedPage* served) {
  DrawnPage page;
  TextSink sink;
  if (cases.size() == 1) {
    const PageRun run(cases.front(), options, run_options);
    page.status = run.report_end();
    write_html_report(run.view(), sink, served);
    page.text = sink.take();
    return page;
  }
  CasesPage all(cases.front().scenario.title);
  for (const ScenarioCase& one : cases) {
    if (!one.scenario.refusals.empty()) {
      all.add_refused(one.name, refusal_codes(one.scenario));
      if (one.scenario.expects_refusal()) continue;
      log_error(refusal_text(one));
      page.status = worse(page.status, ExitStatus::bad_input);
      continue;
    }
    const PageRun run(one, options, run_options);
    all.add(one.name, run.view());
    page.status = worse(page.status, run.report_end());
    if (page.status == ExitStatus::interrupted) break;
  }
  all.write(sink, served);
  page.text = sink.take();
  return page;
}

}  // namespace gdsim::cli
