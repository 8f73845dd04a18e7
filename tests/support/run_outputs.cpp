#include "support/run_outputs.hpp"

#include "support/string_sink.hpp"

#include <gdsim/base/quantity.hpp>
#include <gdsim/record/group_timeline.hpp>
#include <gdsim/record/launch_timeline.hpp>
#include <gdsim/report/csv/csv_tables.hpp>
#include <gdsim/report/csv/launch_tables.hpp>
#include <gdsim/report/csv/samples_csv.hpp>
#include <gdsim/report/json/summary_json.hpp>
#include <gdsim/report/page/html_report.hpp>
#include <gdsim/report/picture/picture_svg.hpp>
#include <gdsim/report/text/chart_text.hpp>
#include <gdsim/report/trace/perfetto_trace.hpp>

#include <algorithm>

namespace gdsim::testing {
namespace {

std::string pictures_of(const RunReport& report) {
  StringSink sink;
  write_samples_csv(report, Picoseconds{report.record.duration().count / 7 + 1}, sink);
  sink.text += chart_text(report, Glyphs::ascii);
  const RunView view = view_of(report);
  write_picture_svg(view, sink);
  write_html_report(view, sink);
  return sink.text;
}

}  // namespace

RunOutputs outputs_of(const RandomRun& run, RunOptions options) {
  const std::string title = "a random run";
  CoreTimeline cores(run.device.cores);
  WorkGroupLog work_groups(run.workload.launches.size());
  LaunchTimeline launches(run.workload.launches.size());
  StringSink traced;
  PerfettoTrace trace(title, run.device, run.workload, traced);
  options.observers.insert(options.observers.end(), {&cores, &work_groups, &launches, &trace});
  const RunResult result = simulate(run.device, run.device.dispatch, run.workload, options);
  trace.finish(result.record.outcome, result.record.end);
  RunReport report{title, run.device, run.device.dispatch, run.workload, result.record};
  report.timeline = &result.timeline;
  report.cores = &cores;
  report.work_groups = &work_groups;
  StringSink sink;
  write_timeline_csv(report, sink);
  write_cores_csv(report, sink);
  write_phases_csv(report, sink);
  write_work_groups_csv(report, sink);
  write_summary_json(report, sink);
  write_launches_csv(report, sink);
  for (const LaunchPoint& point : launches.points())
    sink.text += to_text(point.time) + " " + std::to_string(point.resident.threads) + "\n";
  const bool has_pictures = options.keep_timeline == KeepTimeline::yes && result.record.duration().count > 0;
  return {std::move(sink.text), std::move(traced.text), has_pictures ? pictures_of(report) : "",
          result.timeline.kept() < result.timeline.size(), result.events};
}

bool has_loop(const Workload& workload) {
  return std::any_of(workload.kernels.begin(), workload.kernels.end(),
                     [](const Kernel& kernel) { return has_step<Loop>(kernel.program); });
}

}  // namespace gdsim::testing
