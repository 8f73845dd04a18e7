#include <gdsim/report/csv/launch_tables.hpp>

#include <gdsim/analysis/notes/device_notes.hpp>
#include <gdsim/analysis/speed/speed_of_light.hpp>
#include <gdsim/base/check.hpp>
#include <gdsim/report/csv/csv_writer.hpp>
#include <gdsim/report/csv/table_columns.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {
namespace {

/// Writes begin, duration, active time (from the first dispatch to the end), and the occupancy during each.
void write_occupancies(const LaunchRecord& launch, const RunRecord& run, CsvWriter& csv) {
  csv.time(launch.begun).time(launch.duration());
  csv.fraction(run.achieved_occupancy(launch));
  if (const auto elapsed = run.elapsed_occupancy(launch)) {
    csv.fraction(*elapsed);
  } else {
    csv.text("");
  }
  csv.time(launch.active());
}

void write_bound(const std::optional<NearestPeak>& bound, CsvWriter& csv) {
  if (bound) {
    csv.text(bound->name).fraction(bound->percent);
  } else {
    csv.text("").text("");
  }
}

}  // namespace

Ratio mean_occupancy(const LaunchRecord& launch, const RunRecord& run) {
  if (!launch.first_dispatched) return {};
  const Duration duration = launch.ended.value_or(run.end) - *launch.first_dispatched;
  if (duration.count == 0) return {};
  return {static_cast<UInt128>(launch.resident_time) * 100,
          UInt128{run.contexts_total} * static_cast<std::uint64_t>(duration.count)};
}

/// Empty if it is not known: for one of several devices that ran together.
std::string_view critical_text(const LaunchRecord& record, bool is_one_of_several) {
  if (is_one_of_several && !record.slack) return "";
  return record.is_critical() ? "true" : "false";
}

void write_launches_csv(const RunReport& report, Sink& sink) {
  std::vector<std::string_view> columns(kLaunchColumns.begin(), kLaunchColumns.end());
  const auto& preemption = report.record.preemption;
  if (preemption) columns.insert(columns.end(), {column::kProcess, column::kSuspended});
  columns.insert(columns.end(), {column::kBound, column::kBoundPercent});
  const std::vector<std::optional<NearestPeak>> bounds = bounds_of_launches(report);
  CsvWriter csv(sink, columns);
  const Workload& workload = report.workload;
  const bool is_one_of_several = std::any_of(workload.launches.begin(), workload.launches.end(),
                                             [](const Launch& launch) { return launch.is_remote(); });
  for (std::size_t i = 0; i < workload.launches.size(); ++i) {
    const Launch& launch = workload.launches[i];
    if (launch.is_remote()) continue;
    const LaunchRecord& record = report.record.launches[i];
    const Kernel& kernel = workload.kernel_of(launch);
    csv.text(launch.name).text(kernel.name);
    csv.text(launch.queue ? workload.queues[index_of(*launch.queue)].name : "");
    csv.time(record.submitted).time(record.ready).time(record.first_dispatched).time(record.fully_dispatched);
    csv.time(record.ended).count(kernel.range.group_count());
    csv.fraction(mean_occupancy(record, report.record)).text(critical_text(record, is_one_of_several));
    csv.count(record.work_groups_dispatched).count(record.work_groups_ended);
    write_occupancies(record, report.record, csv);
    if (preemption)
      csv.text(preemption->processes[preemption->process_of[i]].name)
          .time(suspended_of(report.record, static_cast<LaunchId>(i)));
    write_bound(bounds[i], csv);
    csv.end_row();
  }
  csv.finish();
}

void write_kernels_csv(const RunReport& report, Sink& sink) {
  GDSIM_CHECK(report.launches != nullptr, "the timeline of the launches was not kept");
  CsvWriter csv(sink, {column::kTime, column::kLaunch, column::kKernel, column::kResident, column::kRunning,
                       column::kStalled, column::kResidentGroups});
  std::optional<LaunchId> last;
  std::string names;
  for (const auto& [time, id, resident] : report.launches->points()) {
    if (last != id) {
      const Launch& launch = report.workload.launches[index_of(id)];
      names = csv_cells({launch.name, report.workload.kernel_of(launch).name});
      last = id;
    }
    csv.time(time).cells(names);
    csv.count(resident.threads).count(resident.running).count(resident.stalled()).count(resident.work_groups);
    csv.end_row();
  }
  csv.finish();
}

void write_slices_csv(const RunReport& report, Sink& sink) {
  CsvWriter csv(sink,
                {column::kStart, column::kEnd, column::kProcess, column::kUse, column::kWorkGroups, column::kBytes});
  if (report.record.preemption) {
    const PreemptionRecord& preemption = *report.record.preemption;
    for (const DeviceSpan& span : preemption.spans) {
      csv.time(span.begin).time(span.end).text(preemption.processes[span.process].name).text(name_of(span.use));
      csv.count(span.work_groups).bytes(span.bytes).end_row();
    }
  }
  csv.finish();
}

}  // namespace gdsim
