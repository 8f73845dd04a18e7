#include <gdsim/analysis/time_series.hpp>

#include <gdsim/analysis/levels.hpp>
#include <gdsim/analysis/peer_waits.hpp>
#include <gdsim/analysis/words.hpp>
#include <gdsim/base/check.hpp>
#include <gdsim/base/decimal.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>

namespace gdsim {

std::vector<BandRow> band_rows(const Repetitions& repetitions) {
  std::vector<BandRow> rows;
  if (repetitions.runs.empty()) return rows;
  for (const RepetitionInterval& band : repetitions.bands) {
    const UInt128 whole = static_cast<UInt128>((band.end - band.begin).count) * repetitions.contexts_total;
    const auto percent = [&](Int128 integral, UInt128 runs) {
      const UInt128 divisor = whole * runs;
      return static_cast<std::uint64_t>((2 * static_cast<UInt128>(integral) * 100 * BandRow::kPerPercent + divisor) /
                                        (2 * divisor));
    };
    const Spread<Int128>& spread = band.resident_time;
    rows.push_back({band.begin,
                    band.end,
                    {percent(band.sum, repetitions.runs.size()), percent(spread.min, 1), percent(spread.p5, 1),
                     percent(spread.p50, 1), percent(spread.p95, 1), percent(spread.max, 1)}});
  }
  return rows;
}

namespace {

/// Returns the columns of a series of waits, in the order of time_columns() without its first two.
std::vector<WaitColumn> wait_order(std::size_t levels) {
  std::vector<WaitColumn> order{column_of(Activity::issue)};
  for (std::size_t limit = 0; limit <= levels && levels > 0; ++limit)
    order.push_back(column_of(static_cast<MemoryLimit>(limit)));
  for (const Activity kind : {Activity::slm, Activity::barrier, Activity::child, Activity::held})
    order.push_back(column_of(kind));
  return order;
}

/// Returns true if threads wait for this in the middle of a step. `column` must not be a column of launches.
bool is_in_step(WaitColumn column) {
  return column == column_of(Activity::issue) || column == column_of(Activity::slm) || column >= kActivityCount;
}

/// Copies in progress, over time.
std::vector<Level> copy_levels(const RunReport& report) {
  std::map<SimTime, std::int64_t> changes;
  for (std::size_t i = 0; i < report.workload.launches.size(); ++i) {
    const LaunchRecord& record = report.record.launches[i];
    if (report.workload.launches[i].is_kernel() || !record.first_dispatched) continue;
    ++changes[*record.first_dispatched];
    --changes[record.ended.value_or(report.record.end)];
  }
  std::vector<Level> levels;
  std::int64_t passing = 0;
  for (const auto& [time, change] : changes) levels.push_back({time, static_cast<std::uint64_t>(passing += change)});
  return levels;
}

/// Converts `text` to a part of a column's name: letters, digits and underscores.
std::string column_name(std::string text) {
  for (char& c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return text;
}

/// Returns the words for people, which are equal for a level's own name and for its column's name.
std::string spaced(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::uint64_t rounded_mean(UInt128 integral, Duration duration) {
  const auto time = static_cast<UInt128>(duration.count);
  return static_cast<std::uint64_t>((2 * integral * TimeSeries::kPerThread + time) / (2 * time));
}

}  // namespace

bool TimeSeries::occurs(std::size_t column) const {
  return std::any_of(rows.begin(), rows.end(), [column](const Row& row) { return row.means[column] > 0; });
}

bool TimeSeries::has_dispatch() const {
  return std::any_of(rows.begin(), rows.end(), [](const Row& row) { return row.dispatch > 0; });
}

bool TimeSeries::has_waits() const {
  for (std::size_t i = 1; i < columns.size(); ++i)
    if (occurs(i)) return true;
  return false;
}

std::vector<TimeColumn> time_columns(const std::vector<std::string>& memory_levels, const std::string& slm) {
  constexpr std::array<std::string_view, 4> memory_styles{"t-mem1", "t-mem2", "t-mem3", "t-mem4"};
  std::vector<TimeColumn> columns{{"executing", "executing", "t-run", ""},
                                  {"accessing_memory", "executing: memory accesses, latency included", "t-access", "a"},
                                  {"waiting_for_issue", "waiting for issue", "t-issue", "i"}};
  if (!memory_levels.empty())
    columns.push_back({"waiting_for_memory_core", "waiting for memory: the core's link", "t-mem0", "c"});
  for (std::size_t i = 0; i < memory_levels.size(); ++i)
    columns.push_back({"waiting_for_memory_" + column_name(memory_levels[i]),
                       "waiting for memory: " + spaced(column_name(memory_levels[i])),
                       memory_styles[std::min(i, memory_styles.size() - 1)],
                       std::to_string(std::min<std::size_t>(i + 1, 9))});
  columns.push_back({"waiting_for_slm", "waiting for banks of " + slm, "t-slm", "s"});
  columns.push_back({"stalled_at_barrier", "stalled at a barrier", "t-barrier", ""});
  columns.push_back({"waiting_for_child", "stalled on a child kernel", "t-child", ""});
  columns.push_back({"held_after_end", "ended, contexts held", "t-held", ""});
  return columns;
}

std::vector<TimeColumn> time_columns(const DeviceSpec& device) {
  std::vector<std::string> levels;
  if (device.memory)
    for (const MemoryLevel& level : device.memory->levels) levels.push_back(level.name);
  return time_columns(levels, device.terms.slm);
}

void name_parts_of_executing(TimeSeries& series) {
  if (series.occurs(TimeSeries::kAccess)) series.columns[TimeSeries::kComputing].words = "executing: everything else";
}

namespace {

/// Words that depend on the workload.
void name_waits(const RunReport& report, std::vector<TimeColumn>& columns) {
  const bool has_collectives = !kernels_of_collectives(report.workload).empty();
  for (TimeColumn& column : columns) {
    if (column.name == "waiting_for_slm")
      column.words = "waiting for " + words_for_slm_pipe(report.device.terms, report.workload);
    if (column.name == "stalled_at_barrier" && has_collectives)
      column.words =
          has_barriers_of_its_own(report.workload) ? "stalled at a barrier, or in a collective" : "in a collective";
  }
}

/// Adds what threads did in bin `i`. `order`: columns of waits, as the means of a row have them.
void add_threads(const WaitSeries& waits, std::size_t i, const Bin& resident, const std::vector<WaitColumn>& order,
                 TimeSeries::Row& row) {
  const Duration duration = resident.end - resident.begin;
  UInt128 waiting = 0;
  auto accessing = static_cast<UInt128>(waits.waited(i, column_of(Activity::access)));
  for (const WaitColumn column : order) {
    const auto time = static_cast<UInt128>(waits.waited(i, column));
    waiting += time;
    if (column >= kActivityCount) accessing -= time;
    row.means.push_back(rounded_mean(time, duration));
  }
  GDSIM_CHECK(waiting <= resident.integral, "threads wait longer than they are resident");
  GDSIM_CHECK(accessing <= resident.integral - waiting, "threads access memory for longer than they execute");
  row.means[TimeSeries::kAccess] = rounded_mean(accessing, duration);
  row.means[TimeSeries::kComputing] =
      rounded_mean(resident.integral - waiting, duration) - row.means[TimeSeries::kAccess];
}

}  // namespace

TimeSeries time_series(const RunReport& report, const WaitSeries& waits) {
  GDSIM_CHECK(report.timeline != nullptr, "where the time goes needs the timeline to be kept");
  const RunRecord& record = report.record;
  TimeSeries series;
  series.columns = time_columns(report.device);
  name_waits(report, series.columns);
  if (record.active().count == 0) return series;
  const auto order = wait_order(report.device.memory ? report.device.memory->levels.size() : 0);
  const auto resident =
      bins_of_width(device_levels(*report.timeline).resident, record.first_dispatch, record.end, waits.width());
  const auto copies = bins_of_width(copy_levels(report), record.first_dispatch, record.end, waits.width());
  for (std::size_t i = 0; i < resident.size(); ++i) {
    const Bin& bin = resident[i];
    const Duration duration = bin.end - bin.begin;
    const auto dispatch = static_cast<UInt128>(waits.waited(i, dispatch_column(waits.columns())));
    TimeSeries::Row row{
        bin.begin, bin.end, {0, 0}, rounded_mean(copies[i].integral, duration), rounded_mean(dispatch, duration)};
    add_threads(waits, i, bin, order, row);
    series.rows.push_back(std::move(row));
  }
  name_parts_of_executing(series);
  return series;
}

Ratio mean_executing(const Phase& phase, const TimeSeries& series) {
  const auto column = [&](std::string_view name) {
    return name == "waiting_for_issue" || name == "waiting_for_slm" || name.starts_with("waiting_for_memory");
  };
  UInt128 waited = 0;
  for (const TimeSeries::Row& row : series.rows) {
    const SimTime from = std::max(row.begin, phase.begin);
    const SimTime to = std::min(row.end, phase.end);
    if (from >= to) continue;
    for (std::size_t i = 0; i < row.means.size(); ++i)
      if (column(series.columns[i].name))
        waited += UInt128{row.means[i]} * static_cast<std::uint64_t>((to - from).count);
  }
  const UInt128 running = static_cast<UInt128>(phase.running_time) * TimeSeries::kPerThread;
  return {running - std::min(running, waited), static_cast<UInt128>(phase.duration().count) * TimeSeries::kPerThread};
}

Ratio mean_executing(const Phase& phase, SimTime start, const WaitSeries& waits) {
  const Int128 width = waits.width().count;
  const Int128 from = (phase.begin - start).count;
  const Int128 to = (phase.end - start).count;
  Int128 waited = 0;
  for (Int128 i = from / width; i * width < to; ++i) {
    const Int128 part = std::min(to, (i + 1) * width) - std::max(from, i * width);
    for (std::size_t column = 0; column < dispatch_column(waits.columns()); ++column)
      if (is_in_step(static_cast<WaitColumn>(column)))
        waited += waits.waited(static_cast<std::uint64_t>(i), column) * part / width;
  }
  const Int128 running = phase.running_time;
  return {static_cast<UInt128>(running - std::min(running, waited)), static_cast<UInt128>(phase.duration().count)};
}

}  // namespace gdsim
