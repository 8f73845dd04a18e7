#include <gdsim/report/csv/time_use_csv.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/report/csv/table_columns.hpp>

#include <numeric>
#include <string_view>

namespace gdsim {
namespace {

constexpr std::string_view kMemory = "waiting_for_memory_";

bool is_memory(const TimeColumn& column) { return column.name.starts_with(kMemory); }

std::uint64_t mean_of(std::string_view name, const TimeSeries& series, const TimeSeries::Row& row) {
  for (std::size_t i = 0; i < series.columns.size(); ++i)
    if (series.columns[i].name == name) return row.means[i];
  return 0;
}

}  // namespace

std::vector<std::string> time_cell_names(const TimeSeries& series) {
  std::vector<std::string> names{"executing",         "waiting_for_issue",          "waiting_for_memory",
                                 "waiting_for_slm",   "stalled_at_barrier",         "held_after_end",
                                 "waiting_for_child", std::string(column::kCopies), std::string(column::kDispatch)};
  for (const TimeColumn& column : series.columns)
    if (is_memory(column)) names.push_back(column.name);
  names.emplace_back("accessing_memory");
  return names;
}

void write_time_cells(const TimeSeries& series, const TimeSeries::Row& row, CsvWriter& csv) {
  const auto cell = [&](std::uint64_t mean) { csv.fraction({mean, TimeSeries::kPerThread}); };
  std::uint64_t memory = 0;
  for (std::size_t i = 0; i < series.columns.size(); ++i)
    if (is_memory(series.columns[i])) memory += row.means[i];
  cell(TimeSeries::executing(row));
  cell(mean_of("waiting_for_issue", series, row));
  cell(memory);
  for (const std::string_view name : {"waiting_for_slm", "stalled_at_barrier", "held_after_end", "waiting_for_child"})
    cell(mean_of(name, series, row));
  cell(row.copies);
  cell(row.dispatch);
  for (std::size_t i = 0; i < series.columns.size(); ++i)
    if (is_memory(series.columns[i])) cell(row.means[i]);
  cell(row.means[TimeSeries::kAccess]);
}

void write_time_use_csv(const RunReport& report, Sink& sink) {
  GDSIM_CHECK(report.waits != nullptr, "what threads wait for was not kept");
  const TimeSeries series = time_series(report, *report.waits);
  const std::vector<std::string> names = time_cell_names(series);
  std::vector<std::string_view> header{column::kTime, column::kDuration, column::kResident};
  header.insert(header.end(), names.begin(), names.end());
  CsvWriter csv(sink, header);
  for (const TimeSeries::Row& row : series.rows) {
    csv.time(row.begin).time(row.end - row.begin);
    csv.fraction({std::accumulate(row.means.begin(), row.means.end(), std::uint64_t{0}), TimeSeries::kPerThread});
    write_time_cells(series, row, csv);
    csv.end_row();
  }
  csv.finish();
}

}  // namespace gdsim
