#include <gdsim/calibrate/measured_times.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/scenario/tables/csv_document.hpp>

#include <fmt/format.h>

#include <array>
#include <map>
#include <optional>
#include <utility>

namespace gdsim {
namespace {

constexpr std::array<std::pair<std::string_view, std::int64_t>, 5> kUnits{
    {{"ps", 1}, {"ns", 1'000}, {"us", 1'000'000}, {"ms", 1'000'000'000}, {"s", 1'000'000'000'000}}};

/// Whether a column has the times, and its unit, if its name has one.
struct TimeColumn {
  bool is_one = false;
  std::optional<Duration> unit;
};

TimeColumn time_column(std::string_view name) {
  name = trimmed(name);
  if (name == "time") return {true, std::nullopt};
  for (const auto& [unit, size] : kUnits)
    if (name == "time_" + std::string(unit) || name == "time [" + std::string(unit) + "]")
      return {true, Duration{size}};
  return {};
}

std::optional<Duration> read_time(const std::string& cell, std::optional<Duration> unit, std::string& problem) {
  if (!unit) {
    const Parsed<Duration> parsed = parse_duration(cell);
    problem = parsed.problem;
    return parsed.value;
  }
  const Parsed<Decimal> number = parse_decimal(trimmed(cell));
  problem = number.problem;
  if (!number.value) return std::nullopt;
  const auto count = round_product({*number.value}, {static_cast<UInt128>(unit->count), 1});
  if (!count) problem = "is too large";
  return count ? std::optional(Duration{*count}) : std::nullopt;
}

/// The column of times, and its unit; the names of the others go to `others`.
struct ColumnOfTimes {
  std::optional<std::size_t> index;
  std::optional<Duration> unit;
};

ColumnOfTimes column_of_times(const CsvDocument& table, std::vector<std::string>& others, Diagnostics& problems) {
  ColumnOfTimes found;
  for (std::size_t i = 0; i < table.header.size(); ++i) {
    const TimeColumn time = time_column(table.header[i]);
    if (!time.is_one) {
      others.push_back(table.header[i]);
    } else if (found.index) {
      problems.add(table.header_marks[i], "there are two columns of times; leave one of them out");
    } else {
      found = {i, time.unit};
    }
  }
  return found;
}

}  // namespace

MeasuredTimes read_measured_times(const SourceText& source, Diagnostics& problems) {
  MeasuredTimes times;
  const std::size_t before = problems.size();
  const CsvDocument table = read_csv(source, problems);
  if (problems.size() > before) return times;
  const auto [column, unit] = column_of_times(table, times.columns, problems);
  if (!column)
    problems.add({&source, 1, 1}, "a column `time_ns`, `time_us`, `time_ms`, `time_s` or `time [ms]` is needed");
  if (table.rows.empty()) problems.add({&source, 1, 1}, "no measured time stands below the header");
  if (problems.size() > before) return times;
  std::map<std::string, std::vector<const CsvRow*>> mistakes;  // each is one problem
  for (const CsvRow& row : table.rows) {
    MeasuredTime& one = times.rows.emplace_back();
    one.mark = row.mark;
    for (std::size_t i = 0; i < row.cells.size(); ++i)
      if (i != *column) one.values.push_back(row.cells[i]);
    std::string problem;
    const auto time = read_time(row.cells[*column], unit, problem);
    if (time && time->count <= 0) problem = "must be above 0";
    if (!time || time->count <= 0) mistakes[problem].push_back(&row);
    one.time = time.value_or(Duration{1});
  }
  for (const auto& [problem, rows] : mistakes) {
    const std::string others = rows.size() > 1 ? fmt::format(" (and so in {} more rows)", rows.size() - 1) : "";
    problems.add(rows.front()->mark, fmt::format("{}: {} {}{}", table.header[*column],
                                                 in_quotes(rows.front()->cells[*column]), problem, others));
  }
  problems.put_in_order();
  return times;
}

}  // namespace gdsim
