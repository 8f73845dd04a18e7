#include <gdsim/report/run_view.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/fit/limits.hpp>
#include <gdsim/report/resource_words.hpp>
#include <gdsim/workload/launch_graph.hpp>

namespace gdsim {
namespace {

std::vector<LaunchRow> launch_rows(const RunReport& report) {
  const LaunchGraph graph = make_launch_graph(report.workload);
  std::vector<LaunchRow> rows;
  for (std::size_t i = 0; i < report.workload.launches.size(); ++i) {
    const Launch& launch = report.workload.launches[i];
    const LaunchRecord& record = report.record.launches[i];
    LaunchRow row{launch.name,
                  report.workload.kernel_of(launch).name,
                  {},
                  record.ready,
                  record.first_dispatched,
                  record.fully_dispatched,
                  record.ended};
    for (const Dependency& before : graph.predecessors[i]) row.after.push_back(index_of(before.before));
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<LimitRow> limit_rows(const RunReport& report) {
  std::vector<LimitRow> rows;
  for (const Kernel& kernel : report.workload.kernels) {
    const ResourceLimits limits = limits_of(kernel, report.device);
    for (std::size_t i = 0; i < kResourceCount; ++i) {
      const auto resource = static_cast<Resource>(i);
      if (const auto count = limits.of(resource))
        rows.push_back({kernel.name, words_for(resource, report.device.terms), *count, *count == limits.least()});
    }
  }
  return rows;
}

}  // namespace

RunView view_of(const RunReport& report) {
  GDSIM_CHECK(report.timeline != nullptr && report.cores != nullptr, "pictures need the timelines to be kept");
  const RunRecord& record = report.record;
  RunView view;
  view.title = report.title;
  view.device = report.device.name;
  view.terms = report.device.terms;
  view.cores = report.device.cores;
  view.contexts_total = record.contexts_total;
  view.outcome = name_of(record.outcome);
  view.start = record.start;
  view.end = record.end;
  view.work_groups_total = record.work_groups_total;
  view.threads_total = record.threads_total;
  view.peak_resident = record.peak_resident;
  for (const Phase& phase : record.phases.phases)
    view.phases.push_back(
        {phase.start, phase.end, phase.resident,
         Ratio{static_cast<UInt128>(phase.running_time), static_cast<UInt128>(phase.duration().count)},
         phase.cores_busy});
  view.transitions = record.phases.transitions.size();
  view.timeline = report.timeline->view();
  view.core_points = report.cores->points().view();
  view.launches = launch_rows(report);
  view.limits = limit_rows(report);
  TimeUse& all = view.time_use.emplace();
  for (const CoreTimeUse& one : record.time_use) all += one.use;
  return view;
}

}  // namespace gdsim
