#include "run/run_extras.hpp"

#include "cases/case_run.hpp"
#include "options/shared_options.hpp"
#include "terminal/log.hpp"
#include "terminal/terminal.hpp"

#include <unistd.h>

namespace gdsim::cli {

RunExtras::RunExtras(const Options& options, const std::vector<ScenarioCase>& cases, const FileRegister& inputs,
                     StandardOutput& out) {
  const auto trace = options.value("trace");
  if (!trace) return;
  if (trace->empty()) throw UsageError("--trace is empty");
  require_one_case(cases, "--trace");
  require_durations(cases.front().scenario);
  if (is_standard_output(*trace) && isatty(STDOUT_FILENO) == 1)
    throw UsageError("--trace - would write bytes to a terminal; send them to a file or a pipe");
  trace_file_.emplace(NamedOutput{"--trace " + *trace, *trace}, inputs, out);
  trace_name_ = *trace;
}

void RunExtras::watch(PerfettoTrace& trace, RunOptions& options) {
  options.observers.push_back(&trace);
  options.wait_series.push_back(&trace.waits());
}

void RunExtras::attach(const Scenario& scenario, const LaunchGraph& graph, RunOptions& options) {
  if (trace_file_)
    watch(traces_.emplace_back(scenario.title, scenario.device, scenario.workload, graph, trace_file_->sink()),
          options);
  if (is_terminal(STDERR_FILENO)) options.observers.push_back(&progress_.emplace(scenario.workload));
}

void RunExtras::attach_device(const Scenario& scenario, std::size_t device, const LaunchGraph& graph,
                              RunOptions& options) {
  if (!trace_file_) return;
  const Scenario& own = scenario.devices[device];
  watch(traces_.emplace_back(own.device_name + ": " + scenario.title, own.device, own.workload, graph,
                             trace_file_->sink(), device),
        options);
}

void RunExtras::on_run_end(const RunRecord& record) {
  progress_.reset();
  if (finished_ < traces_.size()) traces_[finished_++].finish(record);
}

void RunExtras::finish() {
  if (traces_.empty()) return;
  trace_file_->commit();
  log_info("wrote " + trace_name_);
}

std::vector<OptionSpec> RunExtras::option_specs() {
  return in_group(kWhatIsWritten,
                  {{"trace", 0, "FILE", "a trace for the Perfetto viewer (.pftrace; - for standard output)"}});
}

}  // namespace gdsim::cli
