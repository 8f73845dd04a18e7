#include <gdsim/report/csv/csv_tables.hpp>

#include <gdsim/analysis/levels.hpp>
#include <gdsim/analysis/time_series.hpp>
#include <gdsim/analysis/words.hpp>
#include <gdsim/base/check.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/report/csv/csv_writer.hpp>
#include <gdsim/report/csv/run_table.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {
namespace {

constexpr std::string_view kMemory = "waiting_for_memory_";
constexpr std::string_view kInterval = "the interval";
constexpr std::string_view kSampled = "in samples.csv: their means, as in timeline.csv";

bool is_memory(const TimeColumn& column) { return column.name.starts_with(kMemory); }

std::uint64_t mean_of(std::string_view name, const TimeSeries& series, const TimeSeries::Row& row) {
  for (std::size_t i = 0; i < series.columns.size(); ++i)
    if (series.columns[i].name == name) return row.means[i];
  return 0;
}

/// An interval, with means of threads in it.
struct IntervalRow {
  SimTime begin;
  SimTime end;
  const TimeSeries::Row& use;
  Ratio resident;
  Ratio occupancy = {};  ///< of samples only, as are the other two
  Ratio running = {};
  Ratio stalled = {};
};

/// A column whose values are fractions.
struct MeanColumn {
  std::string name;
  std::string_view sentence;
  std::function<Ratio(const IntervalRow& row)> value;
};

/// What resident threads do. A device with a memory has a column for the core's link and one for each level.
std::vector<MeanColumn> use_columns(const TimeSeries& series) {
  std::vector<MeanColumn> columns;
  const auto add = [&](std::string name, std::string_view sentence, auto mean) {
    columns.push_back({std::move(name), sentence, [mean](const IntervalRow& row) {
                         return Ratio{mean(row.use), TimeSeries::kPerThread};
                       }});
  };
  const auto add_named = [&](std::string name, std::string_view sentence) {
    add(name, sentence, [name, &series](const TimeSeries::Row& use) { return mean_of(name, series, use); });
  };
  add("executing", "threads that execute without contention, including memory latency", TimeSeries::executing);
  add_named("waiting_for_issue", "threads that wait because others issue instructions on their engine");
  add("waiting_for_memory", "threads that wait because others use memory: the sum of the next columns",
      [&series](const TimeSeries::Row& use) {
        std::uint64_t memory = 0;
        for (std::size_t i = 0; i < series.columns.size(); ++i)
          if (is_memory(series.columns[i])) memory += use.means[i];
        return memory;
      });
  add_named("waiting_for_slm", "threads that wait because others use banks of SLM, or L1");
  add_named("stalled_at_barrier", "threads at a barrier, or waiting for a signal or a collective's exchange");
  add_named("held_after_end", "threads that have ended, and keep their contexts until the work-group ends");
  add_named("waiting_for_child", "threads that wait for a kernel that they launched");
  add("copies", "not threads, but copies in progress", [](const TimeSeries::Row& use) { return use.copies; });
  add("dispatch", "not threads, but launches that wait because dispatchers are busy, or that are being prepared",
      [](const TimeSeries::Row& use) { return use.waiting_launches; });
  for (const TimeColumn& column : series.columns)
    if (is_memory(column))
      add_named(column.name, "of waiting_for_memory, those that wait for the bandwidth of their core; of that level");
  add("accessing_memory", "those of them that access memory, but not in a `fence`",
      [](const TimeSeries::Row& use) { return use.means[TimeSeries::kAccess]; });
  return columns;
}

/// A table of intervals: their times, then means.
class IntervalTable : public CsvTable {
 public:
  std::vector<ColumnWords> columns(const RunReport* report) const override {
    TimeSeries any;
    any.columns = time_columns({"LEVEL"}, "SLM");
    std::vector<ColumnWords> all{{"time_ns", kInterval}, {"duration_ns", kInterval}};
    for (const MeanColumn& column : means(report != nullptr ? series(*report) : any))
      all.push_back({column.name, column.sentence});
    return all;
  }

  void write(const RunReport& report, Sink& sink) const override {
    const TimeSeries use = series(report);
    const std::vector<MeanColumn> columns = means(use);
    const bool has_times = !is_without_duration(report.workload);
    std::vector<std::string_view> header{"time_ns", "duration_ns"};
    for (const MeanColumn& column : columns) header.push_back(column.name);
    CsvWriter csv(sink, header);
    for_each(report, use, [&](const IntervalRow& row) {
      if (has_times) csv.time(row.begin).time(row.end - row.begin);
      if (!has_times) csv.empty().empty();
      for (const MeanColumn& column : columns) csv.fraction(column.value(row));
      csv.end_row();
    });
    csv.finish();
  }

  std::vector<ColumnValues> values(const RunReport&, std::string_view) const override { return {}; }

 protected:
  using Take = std::function<void(const IntervalRow& row)>;
  /// The columns after the times; they refer to `series`.
  virtual std::vector<MeanColumn> means(const TimeSeries& series) const = 0;
  virtual TimeSeries series(const RunReport& report) const = 0;
  virtual void for_each(const RunReport& report, const TimeSeries& series, const Take& take) const = 0;
};

class TimeUseTable : public IntervalTable {
 public:
  std::string_view file() const override { return "time_use.csv"; }
  std::string_view words() const override {
    return "up to 2,048 equal intervals: what resident threads do, as means of threads";
  }

 private:
  std::vector<MeanColumn> means(const TimeSeries& series) const override {
    std::vector<MeanColumn> columns{{"threads_resident", "", [](const IntervalRow& row) { return row.resident; }}};
    for (MeanColumn& column : use_columns(series)) columns.push_back(std::move(column));
    return columns;
  }

  TimeSeries series(const RunReport& report) const override {
    GDSIM_CHECK(report.waits != nullptr, "what threads wait for was not kept");
    return time_series(report, *report.waits);
  }

  void for_each(const RunReport&, const TimeSeries& series, const Take& take) const override {
    for (const TimeSeries::Row& row : series.rows)
      take({row.begin,
            row.end,
            row,
            {std::accumulate(row.means.begin(), row.means.end(), std::uint64_t{0}), TimeSeries::kPerThread}});
  }
};

class SamplesTable : public IntervalTable {
 public:
  explicit SamplesTable(Duration interval) : interval_(interval) {}

  std::string_view file() const override { return "samples.csv"; }
  std::string_view words() const override { return "a row per interval of `--sample`: what threads do, and occupancy"; }

 private:
  std::vector<MeanColumn> means(const TimeSeries& series) const override {
    std::vector<MeanColumn> columns{
        {"occupancy_percent", kSampled, [](const IntervalRow& row) { return row.occupancy; }},
        {"threads_resident", "", [](const IntervalRow& row) { return row.resident; }},
        {"threads_running", kSampled, [](const IntervalRow& row) { return row.running; }},
        {"threads_stalled", kSampled, [](const IntervalRow& row) { return row.stalled; }}};
    for (MeanColumn& column : use_columns(series)) columns.push_back(std::move(column));
    return columns;
  }

  TimeSeries series(const RunReport& report) const override {
    GDSIM_CHECK(report.timeline != nullptr && report.sampled_waits != nullptr,
                "the timeline or the waits were not kept");
    require_few_samples(report.record.active(), interval_);
    return time_series(report, *report.sampled_waits);
  }

  void for_each(const RunReport& report, const TimeSeries& series, const Take& take) const override {
    const RunRecord& record = report.record;
    const ThreadLevels levels = device_levels(*report.timeline);
    const auto resident = bins_of_width(levels.resident, record.first_dispatch, record.end, interval_);
    const auto running = bins_of_width(levels.running, record.first_dispatch, record.end, interval_);
    for (std::size_t i = 0; i < resident.size(); ++i) {
      const Bin& bin = resident[i];
      const Ratio mean = bin.mean();
      take({bin.begin,
            bin.end,
            series.rows[i],
            mean,
            {mean.numerator * 100, mean.denominator * record.contexts_total},
            running[i].mean(),
            {bin.integral - running[i].integral, mean.denominator}});
    }
  }

  Duration interval_;
};

}  // namespace

const CsvTable& time_use_table() {
  static const TimeUseTable table;
  return table;
}

std::unique_ptr<CsvTable> samples_table(Duration interval) { return std::make_unique<SamplesTable>(interval); }

namespace {

constexpr auto kRepetitionRows = [](const RunReport& report, const auto& take) {
  GDSIM_CHECK(report.repetitions != nullptr, "the run was not repeated");
  for (const Repetition& repetition : report.repetitions->runs) take(repetition);
};

constexpr auto kBandRows = [](const RunReport& report, const auto& take) {
  GDSIM_CHECK(report.repetitions != nullptr, "the run was not repeated");
  for (const BandRow& row : band_rows(*report.repetitions)) take(row);
};

constexpr std::string_view kContexts = "of the device's contexts";

template <BandRow::Column column>
Ratio band_percent(const BandRow& row) {
  return {row.percent[column], BandRow::kPerPercent};
}

}  // namespace

const CsvTable& repetitions_table() {
  using Row = Repetition;
  static const auto table = run_table<Row>(
      "repetitions.csv", "a row per run of a scenario with `repeat`", kRepetitionRows,
      Column{"run", "its number, from 1; the seeds of each run are one higher than before",
             [](const Row& row) { return row.number; }},
      Column{"duration_ns", "", [](const Row& row) { return row.record.duration(); }},
      Column{"peak_occupancy_percent", kContexts, [](const Row& row) { return row.record.peak_occupancy(); }},
      Column{"mean_occupancy_percent", kContexts, [](const Row& row) { return row.record.mean_occupancy(); }},
      Column{"outcome", "completed, stalled, interrupted or bounded",
             [](const Row& row) { return name_of(row.record.outcome); }});
  return table;
}

const CsvTable& bands_table() {
  constexpr std::string_view quantiles = "the mean, the minimum, quantiles, and the maximum";
  static const auto table =
      run_table<BandRow>("bands.csv", "a row per stretch of time: occupancy over all these runs", kBandRows,
                         shared::kStart, shared::kEnd, Column{"mean_percent", quantiles, band_percent<BandRow::mean>},
                         Column{"min_percent", quantiles, band_percent<BandRow::min>},
                         Column{"p5_percent", quantiles, band_percent<BandRow::p5>},
                         Column{"p50_percent", quantiles, band_percent<BandRow::p50>},
                         Column{"p95_percent", quantiles, band_percent<BandRow::p95>},
                         Column{"max_percent", quantiles, band_percent<BandRow::max>});
  return table;
}

std::string repetitions_text(const RunReport& report) {
  const Repetitions& all = *report.repetitions;
  if (all.runs.empty()) return fmt::format("none of {} runs was finished\n", all.planned);
  std::vector<Duration> durations;
  UInt128 sum = 0;
  for (const Repetition& repetition : report.repetitions->runs) {
    durations.push_back(repetition.record.duration());
    sum += static_cast<UInt128>(repetition.record.duration().count);
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

}  // namespace gdsim
