#include <gdsim/infer/log/log_rows.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/device/device_limits.hpp>

#include <fmt/format.h>

#include <charconv>
#include <string_view>
#include <utility>

namespace gdsim {
namespace {

constexpr std::int64_t kMaxTime = std::int64_t{1} << 61;
constexpr std::uint64_t kMaxNumber = std::uint64_t{1} << 40;

class RowReader {
 public:
  RowReader(const LogColumns& columns, Diagnostics& problems) : columns_(columns), problems_(problems) {}

  LogRow read(const CsvRow& csv) {
    row_ = &csv;
    LogRow row;
    row.mark = csv.mark;
    row.kernel = text(LogColumn::kernel);
    row.session = session_of();
    row.launch = launch_of();
    row.core = whole32(LogColumn::core, device_limits::kCores - 1).value_or(0);
    row.shader_array = whole32(LogColumn::shader_array, device_limits::kCores - 1).value_or(0);
    row.number = whole(LogColumn::group, kMaxNumber).value_or(0);
    describe(row.description);
    if (columns_.has(LogColumn::start)) read_times(row);
    return row;
  }

  LogTime time() const { return time_; }

 private:
  std::string text(LogColumn column) const { return std::string(trimmed(columns_.text(*row_, column))); }

  /// Returns a key that is equal for rows that ran on the same device, on one clock.
  std::string session_of() const {
    std::vector<LogColumn> parts{LogColumn::gpu, LogColumn::trace, LogColumn::execution, LogColumn::shader_engine};
    // A trace of a shader engine holds one kernel. Without times, launches of two tests are not concurrent.
    if (columns_.has(LogColumn::shader_engine)) parts.push_back(LogColumn::kernel);
    if (!columns_.has(LogColumn::start)) parts.insert(parts.end(), {LogColumn::test, LogColumn::launch});
    return key_of(parts);
  }
  std::string launch_of() const {
    return key_of({LogColumn::test, LogColumn::launch, LogColumn::kernel, LogColumn::blocks, LogColumn::threads,
                   LogColumn::registers, LogColumn::shared});
  }
  std::string key_of(const std::vector<LogColumn>& parts) const {
    std::string key;
    for (const LogColumn part : parts) {
      const std::string value = text(part);
      if (!value.empty()) key += (key.empty() ? "" : " ") + columns_.name(part) + " " + value;
    }
    return key;
  }

  void describe(LoggedLaunch& launch) {
    if (columns_.counts_sub_groups()) {
      launch.threads = whole32(LogColumn::threads, device_limits::kWorkGroup);
    } else {
      launch.work_items = whole(LogColumn::threads, device_limits::kWorkGroup);
    }
    launch.registers = whole32(LogColumn::registers, 1'000'000);
    if (const auto shared = whole(LogColumn::shared, std::uint64_t{1} << 40))
      launch.shared = Bytes{static_cast<std::int64_t>(*shared)};
    launch.grid = whole(LogColumn::blocks, kMaxNumber).value_or(0);
    if (launch.work_items == 0U || launch.threads == 0U) fail(LogColumn::threads, "is 0; at least 1 is needed");
    if (!text(LogColumn::launched).empty()) launch.launched = point(LogColumn::launched);
  }

  void read_times(LogRow& row) {
    row.start = point(LogColumn::start).value_or(0);
    const bool counts_last = columns_.has(LogColumn::last_cycle);
    const LogColumn end = counts_last ? LogColumn::last_cycle : LogColumn::end;
    row.end = point(end).value_or(0) + (counts_last ? kUnitsPerTick : 0);
    if (row.end < row.start) fail(end, "lies before the start");
  }

  /// Returns a point in time in units of LoggedGroup::start, or nullopt if its value was a problem.
  std::optional<std::int64_t> point(LogColumn column) {
    const std::string cell = text(column);
    const LogUnit unit = columns_.unit(column);
    const Parsed<Decimal> bare = parse_decimal(cell);
    std::optional<std::int64_t> count;
    LogTime time = LogTime::picoseconds;
    if (bare.value) {
      if (!unit.unit) time = LogTime::ticks;
      count = round_product({*bare.value}, {static_cast<UInt128>(unit.unit ? unit.unit->count : kUnitsPerTick), 1});
    } else if (const auto named = parse_time(cell); named.value && !unit.is_named) {
      count = named.value->count;
    } else {
      fail(column, in_quotes(cell) + " " + (unit.is_named ? bare.problem : named.problem));
      return std::nullopt;
    }
    if (!count || *count > kMaxTime) {
      fail(column, in_quotes(cell) + " is too large");
      return std::nullopt;
    }
    if (time_ != LogTime::none && time_ != time)
      fail(column, in_quotes(cell) + " counts otherwise than the times before: some name a unit, others do not");
    time_ = time;
    return count;
  }

  std::optional<std::uint32_t> whole32(LogColumn column, std::uint64_t max) {
    const auto value = whole(column, max);
    return value ? std::optional(static_cast<std::uint32_t>(*value)) : std::nullopt;
  }

  /// Returns nullopt if there is no such column, or if its value was a problem.
  std::optional<std::uint64_t> whole(LogColumn column, std::uint64_t max) {
    if (!columns_.has(column)) return std::nullopt;
    const std::string cell = text(column);
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), number);
    if (error == std::errc() && end == cell.data() + cell.size() && number <= max) return number;
    fail(column, in_quotes(cell) + fmt::format(" is no whole number from 0 to {}", max));
    return std::nullopt;
  }

  void fail(LogColumn column, const std::string& what) {
    problems_.add(row_->mark, columns_.name(column) + ": " + what);
  }

  const LogColumns& columns_;
  Diagnostics& problems_;
  const CsvRow* row_ = nullptr;
  LogTime time_ = LogTime::none;
};

}  // namespace

LogRows read_log_rows(const CsvDocument& table, const LogColumns& columns, const std::string& gpu,
                      Diagnostics& problems) {
  RowReader reader(columns, problems);
  LogRows rows;
  rows.has_numbers = columns.has(LogColumn::group);
  for (const CsvRow& row : table.rows)
    if (gpu.empty() || columns.text(row, LogColumn::gpu) == gpu) rows.rows.push_back(reader.read(row));
  rows.time = reader.time();
  return rows;
}

}  // namespace gdsim
