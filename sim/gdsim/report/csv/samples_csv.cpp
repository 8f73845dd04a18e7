#include <gdsim/report/csv/csv_tables.hpp>

#include <gdsim/analysis/levels.hpp>
#include <gdsim/analysis/run_bands.hpp>
#include <gdsim/analysis/words.hpp>
#include <gdsim/base/check.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/report/csv/csv_writer.hpp>
#include <gdsim/report/kept_parts.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

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

void write_repetitions_csv(const RunReport& report, Sink& sink) {
  GDSIM_CHECK(report.repetitions != nullptr, "the run was not repeated");
  CsvWriter csv(sink, {"run", "duration_ns", "peak_occupancy_percent", "mean_occupancy_percent", "outcome"});
  for (const Repetition& one : report.repetitions->runs) {
    csv.count(one.number).time(one.record.duration()).fraction(one.record.peak_occupancy());
    csv.fraction(one.record.mean_occupancy()).text(name_of(one.record.outcome)).end_row();
  }
  csv.finish();
}

void write_bands_csv(const RunReport& report, Sink& sink) {
  GDSIM_CHECK(report.repetitions != nullptr, "the run was not repeated");
  std::vector<std::string_view> header{column::kStart, column::kEnd};
  header.insert(header.end(), kBandColumns.begin(), kBandColumns.end());
  CsvWriter csv(sink, header);
  for (const BandRow& row : band_rows(*report.repetitions)) {
    csv.time(row.begin).time(row.end);
    for (const std::uint64_t percent : row.percent) csv.fraction({percent, BandRow::kPerPercent});
    csv.end_row();
  }
  csv.finish();
}

std::string repetitions_text(const RunReport& report) {
  const Repetitions& all = *report.repetitions;
  if (all.runs.empty()) return fmt::format("none of {} runs was finished\n", all.planned);
  std::vector<Duration> durations;
  UInt128 sum = 0;
  for (const Repetition& one : report.repetitions->runs) {
    durations.push_back(one.record.duration());
    sum += static_cast<UInt128>(one.record.duration().count);
  }
  std::sort(durations.begin(), durations.end());
  const auto spread = spread_of(durations);
  const Duration mean{static_cast<std::int64_t>(sum / durations.size())};
  return fmt::format("{}{} runs, seeds one higher each: mean {}; min {}, 5 % {}, 50 % {}, 95 % {}, max {}\n",
                     durations.size(), all.runs.size() < all.planned ? fmt::format(" of {}", all.planned) : "",
                     to_rounded_text(mean), to_rounded_text(spread.min), to_rounded_text(spread.p5),
                     to_rounded_text(spread.p50), to_rounded_text(spread.p95), to_rounded_text(spread.max));
}

void require_few_samples(Duration duration, Duration interval) {
  // The last sample may be shorter than the interval.
  const std::int64_t count = duration.count / interval.count + (duration.count % interval.count > 0 ? 1 : 0);
  if (count > kMaxSamples)
    throw InputError("a sample every " + to_text(interval) + " of " + to_text(duration) + " is more than " +
                     std::to_string(kMaxSamples) + " samples");
}

void write_samples_csv(const RunReport& report, Duration interval, Sink& to) {
  CsvWithoutTimes without_times(to);
  Sink& sink = is_without_duration(report.workload) ? static_cast<Sink&>(without_times) : to;
  GDSIM_CHECK(report.timeline != nullptr && report.sampled_waits != nullptr, "the timeline or the waits were not kept");
  const RunRecord& record = report.record;
  require_few_samples(record.active(), interval);
  const ThreadLevels levels = device_levels(*report.timeline);
  const auto resident = bins_of_width(levels.resident, record.first_dispatch, record.end, interval);
  const auto running = bins_of_width(levels.running, record.first_dispatch, record.end, interval);
  const TimeSeries series = time_series(report, *report.sampled_waits);
  const std::vector<std::string> names = time_cell_names(series);
  std::vector<std::string_view> header{"time_ns",          "duration_ns",     "occupancy_percent",
                                       "threads_resident", "threads_running", "threads_stalled"};
  header.insert(header.end(), names.begin(), names.end());
  CsvWriter csv(sink, header);
  for (std::size_t i = 0; i < resident.size(); ++i) {
    const Bin& bin = resident[i];
    const Ratio mean = bin.mean();
    csv.time(bin.begin).time(bin.end - bin.begin);
    csv.fraction({mean.numerator * 100, mean.denominator * record.contexts_total});
    csv.fraction(mean).fraction(running[i].mean());
    csv.fraction({bin.integral - running[i].integral, mean.denominator});
    write_time_cells(series, series.rows[i], csv);
    csv.end_row();
  }
  csv.finish();
}

}  // namespace gdsim
