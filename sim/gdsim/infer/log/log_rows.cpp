#include <gdsim/infer/log/placement_log.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/device/device_rules.hpp>

#include <array>
#include <vector>

namespace gdsim {
namespace {

using Names = ColumnAliases<LogColumn>;

constexpr std::array kColumns{
    Names{LogColumn::group, "work_group block thread_block wg workgroup block_id cta"},
    Names{LogColumn::core, "core sm smid sm_id cu wgp wgp_or_cu"},
    Names{LogColumn::start, "start begin first_placed", UnitInName::time_or_cycles},
    Names{LogColumn::start, "first", UnitInName::needed},
    Names{LogColumn::end, "end ended", UnitInName::time_or_cycles},
    Names{LogColumn::last_cycle, "last", UnitInName::needed},
    Names{LogColumn::kernel, "kernel"},
    Names{LogColumn::gpu, "gpu"},
    Names{LogColumn::launch, "launch"},
    Names{LogColumn::test, "test"},
    Names{LogColumn::threads, "threads block_size threads_per_block threads_per_work_group"},
    Names{LogColumn::registers, "registers"},
    Names{LogColumn::shared, "shared_bytes slm_bytes"},
    Names{LogColumn::blocks, "blocks work_groups"},
    Names{LogColumn::shader_engine, "se"},
    Names{LogColumn::shader_array, "sa sh sa_or_sh"},
    Names{LogColumn::launched, "launched submitted", UnitInName::time_or_cycles},
    Names{LogColumn::trace, "event"},
    Names{LogColumn::execution, "exec"},
    Names{LogColumn::simd, "simd"},
    Names{LogColumn::slot, "slot"},
    Names{LogColumn::stream, "stream"},
    Names{LogColumn::queue, "queue"},
    Names{LogColumn::fully_placed, "fully_placed", UnitInName::time_or_cycles},
    Names{LogColumn::threads_first_placed, "threads_first_placed"},
};

}  // namespace

LogColumns::LogColumns(const CsvDocument& table, Diagnostics& problems) : NamedColumns(table, kColumns, problems) {
  const SourceMark header{table.source, 1, 1};
  const bool has_end = has(LogColumn::end) || has(LogColumn::last_cycle);
  if (has(LogColumn::end) && has(LogColumn::last_cycle))
    problems.add(header, "an end and a last cycle mean the same; leave one of them out");
  if (!has(LogColumn::core)) problems.add(header, "a column with the core is needed, such as `core`, `sm` or `cu`");
  if (!has(LogColumn::group) && !has(LogColumn::start))
    problems.add(header,
                 "a column with the number of the work-group is needed, as in `block,sm`, or one with its start");
  if (has(LogColumn::start) != has_end) problems.add(header, "a start and an end are needed both, or neither");
  if (table.rows.empty()) problems.add(header, "no work-group stands below the header");
}

namespace {

constexpr std::int64_t kMaxTime = std::int64_t{1} << 61;
constexpr std::uint64_t kMaxNumber = std::uint64_t{1} << 40;

class RowReader {
 public:
  explicit RowReader(const LogColumns& columns) : columns_(columns) {}

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
  std::string text(LogColumn column) const { return std::string(columns_.text(*row_, column)); }

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
    if (columns_.has(LogColumn::threads_first_placed)) {
      launch.threads = whole32(LogColumn::threads, device_limits::kWorkGroup, 1);
    } else {
      launch.work_items = whole(LogColumn::threads, device_limits::kWorkGroup, 1);
    }
    launch.registers = whole32(LogColumn::registers, 1'000'000);
    if (const auto shared = whole(LogColumn::shared, std::uint64_t{1} << 40))
      launch.shared = Bytes{static_cast<std::int64_t>(*shared)};
    launch.grid = whole(LogColumn::blocks, kMaxNumber).value_or(0);
    if (!text(LogColumn::launched).empty()) launch.launched = point(LogColumn::launched);
  }

  void read_times(LogRow& row) {
    row.start = point(LogColumn::start).value_or(0);
    const bool counts_last = columns_.has(LogColumn::last_cycle);
    const LogColumn end = counts_last ? LogColumn::last_cycle : LogColumn::end;
    row.end = point(end).value_or(0) + (counts_last ? kUnitsPerTick : 0);
    if (row.end < row.start) columns_.fail(*row_, end, "lies before the start");
  }

  /// Returns a point in time in units of LoggedGroup::start, or nullopt if its value was a problem.
  std::optional<std::int64_t> point(LogColumn column) {
    const std::string cell = text(column);
    const std::string& unit = columns_.unit(column);
    const std::optional<Duration> of_time = columns_.unit_of_time(column);
    const Parsed<Decimal> bare = parse_decimal(cell);
    std::optional<std::int64_t> count;
    LogTime time = LogTime::picoseconds;
    if (bare.value) {
      if (!of_time) time = LogTime::ticks;
      count = round_product({*bare.value}, {static_cast<UInt128>(of_time ? of_time->count : kUnitsPerTick), 1});
    } else if (const auto named = parse_time(cell); named.value && unit.empty()) {
      count = named.value->count;
    } else {
      columns_.fail(*row_, column, in_quotes(cell) + " " + (unit.empty() ? named.problem : bare.problem));
      return std::nullopt;
    }
    if (!count || *count > kMaxTime) {
      columns_.fail(*row_, column, in_quotes(cell) + " is too large");
      return std::nullopt;
    }
    if (time_ != LogTime::none && time_ != time)
      columns_.fail(*row_, column,
                    in_quotes(cell) + " counts otherwise than the times before: some name a unit, others do not");
    time_ = time;
    return count;
  }

  std::optional<std::uint32_t> whole32(LogColumn column, std::uint64_t max, std::int64_t min = 0) {
    const auto value = whole(column, max, min);
    return value ? std::optional(static_cast<std::uint32_t>(*value)) : std::nullopt;
  }

  /// Returns nullopt if there is no such column.
  std::optional<std::uint64_t> whole(LogColumn column, std::uint64_t max, std::int64_t min = 0) {
    return columns_.has(column) ? std::optional(columns_.whole(*row_, column, max, min)) : std::nullopt;
  }

  const LogColumns& columns_;
  const CsvRow* row_ = nullptr;
  LogTime time_ = LogTime::none;
};

}  // namespace

LogRows read_log_rows(const CsvDocument& table, const LogColumns& columns, const std::string& gpu) {
  RowReader reader(columns);
  LogRows rows;
  rows.has_numbers = columns.has(LogColumn::group);
  for (const CsvRow& row : table.rows)
    if (gpu.empty() || columns.text(row, LogColumn::gpu) == gpu) rows.rows.push_back(reader.read(row));
  rows.time = reader.time();
  return rows;
}

}  // namespace gdsim
