#include "commands/page_run.hpp"

#include "commands/run_end.hpp"
#include "options/scenario_arguments.hpp"
#include "terminal/progress_line.hpp"
#include "terminal/terminal.hpp"

#include <gdsim/base/printable.hpp>

#include <unistd.h>

#include <set>
#include <utility>

namespace gdsim::cli {

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

PageRun::PageRun(const ScenarioCase& one, const Options& options, SwitchedRunOptions run_options)
    : case_(one), options_(options) {
  std::optional<ProgressLine> progress;
  if (is_terminal(STDERR_FILENO)) run_options.observers.push_back(&progress.emplace(one.scenario.workload));
  std::set<Keeps> keeps{Keeps::timeline, Keeps::cores, Keeps::group_states, Keeps::waits};
  if (may_keep_group_lives(one.scenario.workload)) keeps.insert(Keeps::work_groups);
  if (one.scenario.repeat > 1) keeps.insert(Keeps::repetitions);
  run_.emplace(one.scenario, keeps, run_options, all_cores());
}

RunView PageRun::view() const {
  RunView view = view_of(run_->report(changes_of(case_, options_)));
  view.scenario = case_.effective;
  view.scale = read_scale(options_);
  return view;
}

ExitStatus PageRun::report_end() const {
  return cli::report_end(case_.name.empty() ? case_.scenario.title : case_.name, record());
}

}  // namespace gdsim::cli
