#include "support/builders.hpp"
#include "support/run_outputs.hpp"
#include "support/string_sink.hpp"
#include <gdsim/base/quantity.hpp>
#include <gdsim/record/part_timelines.hpp>
#include <gdsim/report/csv/csv_tables.hpp>
#include <gdsim/report/json/summary_json.hpp>

#include <utility>

namespace gdsim::testing {

std::string counts_of(const RandomRun& run, InternalRunOptions options) {
  CoreTimeline cores(run.device.cores);
  LaunchTimeline launches(run.workload.launches.size());
  WaitSeries waits(wait_column_count(run.device.memory ? run.device.memory->levels.size() : 0));
  options.observers.insert(options.observers.end(), {&cores, &launches});
  options.wait_series.push_back(&waits);
  const RunResult result = simulate(run.device, run.device.dispatch, run.workload, options);
  const std::string title = "a random run";
  const LaunchGraph graph = make_launch_graph(run.workload);
  RunReport report{title, run.device, run.device.dispatch, run.workload, result.record, graph};
  report.timeline = &result.timeline;
  report.cores = &cores;
  report.waits = report.sampled_waits = &waits;
  StringSink tables;
  timeline_table().write(report, tables);
  cores_table().write(report, tables);
  phases_table().write(report, tables);
  if (options.keep_timeline == KeepTimeline::yes) time_use_table().write(report, tables);
  write_summary_json(report, tables);
  launches_table().write(report, tables);
  for (const LaunchPoint& point : launches.points())
    tables.text += to_text(point.time) + " " + std::to_string(point.resident.threads) + "\n";
  return std::move(tables.text);
}

}  // namespace gdsim::testing
