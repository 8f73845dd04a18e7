#include "cases/page_run.hpp"
#include <gdsim/base/check.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/counterfactual/counterfactual.hpp>
#include <gdsim/explain/explain.hpp>
#include <gdsim/page/html/html_report.hpp>
#include <gdsim/page/html/page_bodies.hpp>
#include <gdsim/page/picture/picture_svg.hpp>
#include <gdsim/points/kept_run.hpp>
#include <gdsim/report/sink.hpp>
#include "cases/case_run.hpp"
#include "options/shared_options.hpp"
#include "terminal/log.hpp"
#include "terminal/progress.hpp"
#include "terminal/terminal.hpp"

#include <unistd.h>

#include <algorithm>
#include <functional>
#include <set>
#include <utility>
#include <vector>

namespace gdsim::cli {
namespace {

/// The maximum number of changed runs on the page of an explanation.
constexpr std::size_t kMaxChangedRuns = 3;

std::set<Keeps> kept_by_page(const Scenario& scenario) {
  std::set<Keeps> keeps{Keeps::timeline, Keeps::cores, Keeps::group_states, Keeps::waits, Keeps::tiles};
  if (may_keep_group_lives(scenario.workload)) keeps.insert(Keeps::work_groups);
  return keeps;
}

std::string refusal_codes(const Scenario& scenario) {
  std::string text = "refused:";
  for (const Diagnostic& refusal : scenario.refusals) text += " " + refusal.code;
  return text;
}

}  // namespace

FigureScale read_scale(const Options& options) {
  const std::string scale = options.value("scale").value_or("device");
  if (scale != "fits" && scale != "device")
    throw UsageError("--scale is " + in_quotes(scale) + "; known: device, fits, as in `--scale fits`");
  return scale == "device" ? FigureScale::device : FigureScale::fits;
}

OptionSpec scale_option_spec() {
  return {"scale",
          0,
          "SCALE",
          "axes of threads: device (default) shows all; fits ends them above what is held, if that is a fifth or less",
          Times::once,
          "device fits"};
}

OptionSpec explain_option_spec() {
  return {"explain", 0, "", "show what would help, as `gdsim explain` finds it: a run for each thing that is tried"};
}

PageRun::PageRun(const ScenarioCase& scenario_case, const Options& options, InternalRunOptions run_options)
    : case_(scenario_case), options_(options), without_progress_(run_options) {
  require_durations(scenario_case.scenario);
  std::optional<ProgressLine> progress;
  if (is_terminal(STDERR_FILENO)) run_options.observers.push_back(&progress.emplace(scenario_case.scenario.workload));
  std::set<Keeps> keeps = kept_by_page(scenario_case.scenario);
  if (scenario_case.scenario.repeat > 1) keeps.insert(Keeps::repetitions);
  run_.emplace(scenario_case.scenario, keeps, run_options, all_cores());
  run_->find_answer(without_progress_);
  progress.reset();
  if (options.has("explain") && record().outcome == Outcome::completed) {
    const Explanation explanation =
        explain(scenario_case.scenario, without_progress_, all_cores(), {}, OtherSeeds::not_tried);
    if (explanation.outcome == Outcome::completed && explanation.not_tried.empty()) keep_explanation(explanation);
  }
}

/// Does not show runs that end sooner than the device's peak allows: the explanation reports a longer duration.
void PageRun::keep_explanation(const Explanation& explanation) {
  help_.emplace();
  std::size_t shown = 0;
  for (const ChangedRun& run : explanation.changed_runs) {
    const std::string sign = run.saves > 0 ? "-" : run.saves < 0 ? "+" : "";
    ExplainRow row{run.what, run.duration, sign + saving_text(run.saves), run.saves > 0, run.sentence};
    if (row.is_saving && !run.is_at_peak && shown++ < kMaxChangedRuns)
      row.shown_as = case_.name.empty() ? run.what : case_.name + ": " + run.what;
    help_->push_back(std::move(row));
  }
}

bool PageRun::has_changed_runs() const {
  return help_ &&
         std::any_of(help_->begin(), help_->end(), [](const ExplainRow& row) { return !row.shown_as.empty(); });
}

void PageRun::add_changed_runs(CasesPage& page) const {
  if (!has_changed_runs()) return;
  const std::vector<Counterfactual> all = counterfactuals(case_.scenario, record());
  for (const ExplainRow& row : *help_) {
    if (row.shown_as.empty()) continue;
    const auto changed =
        std::find_if(all.begin(), all.end(), [&](const Counterfactual& one) { return one.what == row.what; });
    GDSIM_CHECK(changed != all.end(), "what was explained is a change of the scenario");
    const CaseRun run(changed->scenario, kept_by_page(changed->scenario), without_progress_, all_cores());
    std::vector<std::string> changes = changes_of(case_, options_);
    changes.push_back(row.what + ": " + row.sentence);
    RunView view = view_of(run.report(std::move(changes)));
    view.scenario = case_.effective;
    view.scale = read_scale(options_);
    page.add(row.shown_as, view);
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

namespace {

using NamedViews = std::vector<std::pair<std::string, RunView>>;

/// Runs several devices together and passes their views to `show`; the views are valid during that call.
ExitStatus show_devices(const ScenarioCase& scenario_case, const Options& options,
                        const InternalRunOptions& run_options,
                        const std::function<void(NamedViews views, const KeptDevices& run)>& show) {
  if (options.has("explain"))
    throw InputError(scenario_case.scenario.title +
                     ": --explain is of one device, and several run together here; leave it out");
  if (!scenario_case.scenario.refusals.empty()) throw InputError(scenario_case.scenario.refusals);
  require_durations(scenario_case.scenario);
  std::set<Keeps> keeps{Keeps::timeline, Keeps::cores, Keeps::group_states, Keeps::waits, Keeps::tiles};
  const auto has_few = [](const Scenario& device) { return may_keep_group_lives(device.workload); };
  const auto& devices = scenario_case.scenario.devices;
  if (std::all_of(devices.begin(), devices.end(), has_few)) keeps.insert(Keeps::work_groups);
  const KeptDevices run(scenario_case.scenario, keeps, run_options, KeptDevices::How{});
  NamedViews views;
  for (const DeviceReport& device : run.reports(changes_of(scenario_case, options))) {
    RunView view = view_of(device.report);
    view.scenario = scenario_case.effective;
    view.scale = read_scale(options);
    views.emplace_back(device.name, std::move(view));
  }
  show(std::move(views), run);
  return report_end(scenario_case.name.empty() ? scenario_case.scenario.title : scenario_case.name, run.record());
}

/// Runs several devices and adds them to the page as one case.
ExitStatus add_devices(const ScenarioCase& scenario_case, const Options& options, const InternalRunOptions& run_options,
                       CasesPage& page) {
  return show_devices(scenario_case, options, run_options, [&](const NamedViews& views, const KeptDevices& run) {
    const std::vector<DeviceSummary> summaries = device_summaries(scenario_case.scenario, run, run.reports());
    DevicesOnPage devices{scenario_case.scenario.title, views, run.record(), summaries, {}, {}};
    for (const Collective& collective : scenario_case.scenario.collectives)
      devices.collectives.push_back(collective.launches);
    page.add_devices(scenario_case.name, std::move(devices));
  });
}

}  // namespace

DrawnPage draw_picture(const ScenarioCase& scenario_case, const Options& options,
                       const InternalRunOptions& run_options) {
  DrawnPage picture;
  TextSink sink;
  if (scenario_case.scenario.devices.empty()) {
    const PageRun run(scenario_case, options, run_options);
    write_picture_svg(run.view(), sink);
    return {sink.take(), run.report_end(), run.record().end};
  }
  picture.status = show_devices(scenario_case, options, run_options, [&](NamedViews views, const KeptDevices&) {
    std::vector<PicturePanel> panels;
    for (auto& [name, view] : views) panels.push_back({name, std::move(view)});
    write_panels_svg(scenario_case.scenario.title, std::move(panels), sink);
  });
  picture.text = sink.take();
  return picture;
}

DrawnPage draw_page(const std::string& title, const std::vector<ScenarioCase>& cases, const Options& options,
                    const InternalRunOptions& run_options, const ServedPage* served) {
  DrawnPage page;
  TextSink sink;
  if (cases.size() == 1 && cases.front().scenario.devices.empty()) {
    const PageRun run(cases.front(), options, run_options);
    page.status = run.report_end();
    page.end = run.record().end;
    if (run.has_changed_runs()) {
      CasesPage all(title);
      all.add(cases.front().name.empty() ? "as it is" : cases.front().name, run.view());
      run.add_changed_runs(all);
      all.write(sink, served);
    } else {
      write_html_report(run.view(), sink, served);
    }
    page.text = sink.take();
    return page;
  }
  CasesPage all(title);
  for (const ScenarioCase& scenario_case : cases) {
    if (!scenario_case.scenario.refusals.empty()) {
      if (cases.size() == 1) throw InputError(scenario_case.scenario.refusals);
      all.add_refused(scenario_case.name, refusal_codes(scenario_case.scenario));
      if (scenario_case.scenario.expects_refusal()) continue;
      log_error(refusal_text(scenario_case));
      page.status = worse(page.status, ExitStatus::bad_input);
      continue;
    }
    if (!scenario_case.scenario.devices.empty()) {
      page.status = worse(page.status, add_devices(scenario_case, options, run_options, all));
      if (page.status == ExitStatus::interrupted) break;
      continue;
    }
    const PageRun run(scenario_case, options, run_options);
    all.add(scenario_case.name, run.view());
    run.add_changed_runs(all);
    page.status = worse(page.status, run.report_end());
    if (page.status == ExitStatus::interrupted) break;
  }
  all.write(sink, served);
  page.text = sink.take();
  return page;
}

}  // namespace gdsim::cli
