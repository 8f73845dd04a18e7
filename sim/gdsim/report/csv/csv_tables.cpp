#include <gdsim/report/csv/csv_tables.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/report/csv/csv_writer.hpp>
#include <gdsim/report/csv/table_columns.hpp>
#include <gdsim/report/number_format.hpp>

#include <array>
#include <string>
#include <vector>

namespace gdsim {
namespace {

/// Percents of one capacity, as cells for CsvWriter::cells(). Computed cells are cached, for amounts that recur.
class PercentCells {
 public:
  explicit PercentCells(std::uint64_t capacity) : capacity_(capacity) {}

  std::string_view of(std::uint64_t amount) {
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
    csv.cells(occupancy.of(resident.threads));
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
    csv.count(resident.stalled()).cells(occupancy.of(resident.threads));
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
    const auto records = report.work_groups->of(id);
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

}  // namespace gdsim
