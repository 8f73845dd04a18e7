#include <gdsim/report/csv/csv_tables.hpp>

#include <gdsim/analysis/notes/device_notes.hpp>
#include <gdsim/analysis/speed/speed_of_light.hpp>
#include <gdsim/base/check.hpp>
#include <gdsim/report/csv/csv_writer.hpp>
#include <gdsim/report/number_format.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {
namespace {

/// Percents of one capacity, as cells for CsvWriter::cells(). Computed cells are cached, for amounts that recur.
class PercentCells {
 public:
  explicit PercentCells(std::uint64_t capacity) : capacity_(capacity) {}

  std::string_view cells_of(std::uint64_t amount) {
    Cell& cell = cells_[amount % cells_.size()];
    if (cell.size == 0 || cell.amount != amount) {
      char* const end = put_fraction(cell.text.data(), percent_of(amount, capacity_));
      *end = ',';
      cell.amount = amount;
      cell.size = static_cast<std::size_t>(end + 1 - cell.text.data());
    }
    return {cell.text.data(), cell.size};
  }

 private:
  struct Cell {
    std::uint64_t amount = 0;
    std::size_t size = 0;  ///< 0: not yet computed
    std::array<char, kMaxNumberText + 1> text{};
  };

  std::uint64_t capacity_;
  std::array<Cell, 256> cells_{};
};

}  // namespace

void write_timeline_csv(const RunReport& report, Sink& sink) {
  GDSIM_CHECK(report.timeline != nullptr, "the timeline was not kept");
  CsvWriter csv(sink, kTimelineColumns);
  PercentCells occupancy(report.record.contexts_total);
  for (const auto& [time, counts] : *report.timeline) {
    const Residency& resident = counts.resident;
    csv.time(time).count(resident.threads).count(resident.running).count(resident.stalled());
    csv.cells(occupancy.cells_of(resident.threads));
    csv.count(resident.work_groups).count(counts.work_groups_partial).count(counts.cores_busy);
    csv.bytes(resident.slm).end_row();
  }
  csv.finish();
}

void write_cores_csv(const RunReport& report, Sink& sink) {
  GDSIM_CHECK(report.cores != nullptr, "the timeline of the cores was not kept");
  CsvWriter csv(sink, kCoreColumns);
  PercentCells occupancy(report.device.contexts_per_core());
  for (const auto& [time, core, resident] : report.cores->points()) {
    csv.time(time).count(index_of(core)).count(resident.threads).count(resident.running);
    csv.count(resident.stalled()).cells(occupancy.cells_of(resident.threads));
    csv.count(resident.work_groups).bytes(resident.slm).end_row();
  }
  csv.finish();
}

void write_phases_csv(const RunReport& report, Sink& sink) {
  CsvWriter csv(sink, kPhaseColumns);
  std::uint64_t number = 0;
  for (const Phase& phase : report.record.phases.phases) {
    csv.count(++number).time(phase.begin).time(phase.end).time(phase.duration()).count(phase.resident);
    csv.fraction(phase.occupancy_percent(report.record.contexts_total)).fraction(phase.mean_running());
    csv.count(phase.cores_busy).text(name_of(phase.kind)).count(phase.min_resident);
    csv.fraction(phase.mean_resident()).count(phase.max_resident).end_row();
  }
  csv.finish();
}

std::string cores_text(const WorkGroupRecord& record, const std::vector<CoreId>& more) {
  std::string text = std::to_string(index_of(record.core));
  for (const CoreId core : more) text += "+" + std::to_string(index_of(core));
  return text;
}

void write_work_groups_csv(const RunReport& report, Sink& sink) {
  GDSIM_CHECK(report.work_groups != nullptr, "the lives of the work-groups were not kept");
  const bool may_spread = report.dispatch.admission == Admission::spread;
  std::vector<std::string_view> header(kWorkGroupColumns.begin(), kWorkGroupColumns.end());
  if (may_spread) header.emplace_back("cores");
  CsvWriter csv(sink, header);
  for (std::size_t i = 0; i < report.workload.launches.size(); ++i) {
    const auto id = static_cast<LaunchId>(i);
    const Launch& launch = report.workload.launches[i];
    const Kernel& kernel = report.workload.kernel_of(launch);
    const auto records = report.work_groups->records_of(id);
    if (records.empty()) continue;
    const std::string names = csv_cells({launch.name, kernel.name});
    const std::vector<std::uint64_t> thread_counts = kernel.thread_counts();
    const auto threads_of = [&](WorkGroupId number) {
      return thread_counts.size() == 1 ? thread_counts.front() : kernel.threads_of(number);
    };
    for (std::uint64_t i_group = 0; i_group < records.size(); ++i_group) {
      const WorkGroupRecord& record = records[i_group];
      const WorkGroupId number{i_group};
      if (!record.was_placed()) continue;
      csv.cells(names).count(number_of(number)).count(index_of(record.core));
      csv.count(threads_of(number)).count(record.threads_first_placed);
      csv.time(record.first_placed).time(record.fully_placed).time(record.ended);
      if (may_spread) csv.text(cores_text(record, report.work_groups->more_cores_of(id, number)));
      csv.end_row();
    }
  }
  csv.finish();
}

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
