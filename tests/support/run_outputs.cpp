#include "support/run_outputs.hpp"

#include "support/builders.hpp"
#include "support/string_sink.hpp"

#include <gdsim/base/quantity.hpp>
#include <gdsim/record/group_timeline.hpp>
#include <gdsim/record/launch_timeline.hpp>
#include <gdsim/report/csv/csv_tables.hpp>
#include <gdsim/report/csv/launch_tables.hpp>
#include <gdsim/report/csv/samples_csv.hpp>
#include <gdsim/report/csv/time_use_csv.hpp>
#include <gdsim/report/html/html_report.hpp>
#include <gdsim/report/json/summary_json.hpp>
#include <gdsim/report/picture/picture_svg.hpp>
#include <gdsim/report/text/chart_text.hpp>
#include <gdsim/report/trace/perfetto_trace.hpp>

#include <rapidcheck.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <utility>

namespace gdsim::testing {
namespace {

const std::string kTitle = "a random run";

/// A run, and its counts by core.
struct Counted {
  RunResult result;
  LaunchGraph graph;
  std::unique_ptr<CoreTimeline> cores;
  std::unique_ptr<WaitSeries> waits;
};

RunReport report_of(const RandomRun& run, const Counted& counted) {
  RunReport report{kTitle, run.device, run.device.dispatch, run.workload, counted.result.record, counted.graph};
  report.timeline = &counted.result.timeline;
  report.cores = counted.cores.get();
  report.waits = report.sampled_waits = counted.waits.get();
  return report;
}

Counted run_counted(const RandomRun& run, InternalRunOptions options, StringSink& tables) {
  const std::size_t levels = run.device.memory ? run.device.memory->levels.size() : 0;
  Counted counted{{},
                  make_launch_graph(run.workload),
                  std::make_unique<CoreTimeline>(run.device.cores),
                  std::make_unique<WaitSeries>(wait_column_count(levels))};
  LaunchTimeline launches(run.workload.launches.size());
  options.observers.insert(options.observers.end(), {counted.cores.get(), &launches});
  options.wait_series.push_back(counted.waits.get());
  counted.result = simulate(run.device, run.device.dispatch, run.workload, options);
  const RunReport report = report_of(run, counted);
  write_timeline_csv(report, tables);
  write_cores_csv(report, tables);
  write_phases_csv(report, tables);
  if (options.keep_timeline == KeepTimeline::yes) write_time_use_csv(report, tables);
  write_summary_json(report, tables);
  write_launches_csv(report, tables);
  for (const LaunchPoint& point : launches.points())
    tables.text += to_text(point.time) + " " + std::to_string(point.resident.threads) + "\n";
  return counted;
}

std::string pictures_of(const RunReport& report) {
  StringSink sink;
  write_samples_csv(report, report.waits->width(), sink);
  sink.text += chart_text(report, Glyphs::ascii);
  const RunView view = view_of(report);
  write_picture_svg(view, sink);
  write_html_report(view, sink);
  return sink.text;
}

}  // namespace

RunOutputs outputs_of(const RandomRun& run, InternalRunOptions options) {
  WorkGroupLog work_groups(run.workload.launches.size());
  StringSink traced;
  const LaunchGraph graph = make_launch_graph(run.workload);
  PerfettoTrace trace(kTitle, run.device, run.workload, graph, traced);
  options.observers.insert(options.observers.end(), {&work_groups, &trace});
  StringSink tables;
  const Counted counted = run_counted(run, options, tables);
  const RunResult& result = counted.result;
  trace.finish(result.record);
  RunReport report = report_of(run, counted);
  report.work_groups = &work_groups;
  write_work_groups_csv(report, tables);
  const bool has_pictures = options.keep_timeline == KeepTimeline::yes && result.record.active().count > 0;
  return {std::move(tables.text), std::move(traced.text), has_pictures ? pictures_of(report) : "",
          result.timeline.kept() < result.timeline.size(), result.events};
}

BothWays outputs_both_ways(const RandomRun& run, InternalRunOptions options) {
  options.fast_forward = FastForward::yes;
  RunOutputs with = outputs_of(run, options);
  options.fast_forward = FastForward::no;
  return {std::move(with), outputs_of(run, options)};
}

std::string BothWays::first_difference() const {
  std::istringstream some(with.tables);
  std::istringstream others(without.tables);
  for (std::string one, other; !some.eof() || !others.eof();) {
    if (!std::getline(some, one)) one = "nothing";
    if (!std::getline(others, other)) other = "nothing";
    if (one != other) return one + " | " + other;
  }
  return {};
}

void require_same_bytes_both_ways(const RandomRun& drawn) {
  RC_PRE(can_run(drawn.device, drawn.device.dispatch, drawn.workload));
  RC_LOG(describe(drawn));
  InternalRunOptions options;
  options.keep_timeline = KeepTimeline::yes;
  const BothWays runs = outputs_both_ways(drawn, options);
  RC_CLASSIFY(runs.with.events < runs.without.events, "something was skipped");
  RC_CLASSIFY(runs.with.events < runs.without.events / 2, "half was skipped");
  RC_LOG(runs.first_difference());
  RC_ASSERT(runs.are_same());
}

std::string counts_of(const RandomRun& run, InternalRunOptions options) {
  StringSink tables;
  run_counted(run, options, tables);
  return std::move(tables.text);
}

std::string rows_of(const RandomRun& run, InternalRunOptions options) {
  WorkGroupLog work_groups(run.workload.launches.size());
  options.observers.push_back(&work_groups);
  StringSink tables;
  const Counted counted = run_counted(run, options, tables);
  RunReport report = report_of(run, counted);
  report.work_groups = &work_groups;
  write_work_groups_csv(report, tables);
  return std::move(tables.text);
}

bool has_loop(const Workload& workload) {
  return std::any_of(workload.kernels.begin(), workload.kernels.end(),
                     [](const Kernel& kernel) { return has_step<Loop>(kernel.program); });
}

}  // namespace gdsim::testing
