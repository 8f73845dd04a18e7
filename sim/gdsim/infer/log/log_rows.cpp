#include <gdsim/infer/log/placement_log.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/device/device_rules.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <string_view>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

struct Alias {
  std::string_view name;
  LogColumn meaning;
};

constexpr std::array kAliases{
    Alias{"work_group", LogColumn::group},
    Alias{"block", LogColumn::group},
    Alias{"thread_block", LogColumn::group},
    Alias{"wg", LogColumn::group},
    Alias{"workgroup", LogColumn::group},
    Alias{"block_id", LogColumn::group},
    Alias{"cta", LogColumn::group},
    Alias{"core", LogColumn::core},
    Alias{"sm", LogColumn::core},
    Alias{"smid", LogColumn::core},
    Alias{"sm_id", LogColumn::core},
    Alias{"cu", LogColumn::core},
    Alias{"wgp", LogColumn::core},
    Alias{"wgp_or_cu", LogColumn::core},
    Alias{"start", LogColumn::start},
    Alias{"begin", LogColumn::start},
    Alias{"first_placed", LogColumn::start},
    Alias{"first", LogColumn::start},
    Alias{"end", LogColumn::end},
    Alias{"ended", LogColumn::end},
    Alias{"last", LogColumn::last_cycle},
    Alias{"kernel", LogColumn::kernel},
    Alias{"gpu", LogColumn::gpu},
    Alias{"launch", LogColumn::launch},
    Alias{"test", LogColumn::test},
    Alias{"threads", LogColumn::threads},
    Alias{"block_size", LogColumn::threads},
    Alias{"threads_per_block", LogColumn::threads},
    Alias{"threads_per_work_group", LogColumn::threads},
    Alias{"registers", LogColumn::registers},
    Alias{"shared_bytes", LogColumn::shared},
    Alias{"slm_bytes", LogColumn::shared},
    Alias{"blocks", LogColumn::blocks},
    Alias{"work_groups", LogColumn::blocks},
    Alias{"se", LogColumn::shader_engine},
    Alias{"sa", LogColumn::shader_array},
    Alias{"sh", LogColumn::shader_array},
    Alias{"sa_or_sh", LogColumn::shader_array},
    Alias{"launched", LogColumn::launched},
    Alias{"submitted", LogColumn::launched},
    Alias{"event", LogColumn::trace},
    Alias{"exec", LogColumn::execution},
    Alias{"simd", LogColumn::ignored},
    Alias{"slot", LogColumn::ignored},
    Alias{"stream", LogColumn::ignored},
    Alias{"queue", LogColumn::ignored},
    Alias{"fully_placed", LogColumn::ignored},
    Alias{"threads_first_placed", LogColumn::ignored},
};

constexpr std::array<std::pair<std::string_view, std::int64_t>, 7> kUnits{{{"_ps", 1},
                                                                           {"_ns", 1'000},
                                                                           {"_us", 1'000'000},
                                                                           {"_ms", 1'000'000'000},
                                                                           {"_s", 1'000'000'000'000},
                                                                           {"_cycle", 0},
                                                                           {"_cycles", 0}}};

/// Returns the name without its unit, and the unit: 0 for ticks.
std::pair<std::string_view, std::optional<std::int64_t>> cut_unit(std::string_view name) {
  for (const auto& [suffix, size] : kUnits)
    if (name.ends_with(suffix)) return {name.substr(0, name.size() - suffix.size()), size};
  return {name, std::nullopt};
}

bool is_time(LogColumn column) {
  return column == LogColumn::start || column == LogColumn::end || column == LogColumn::last_cycle ||
         column == LogColumn::launched;
}

std::optional<LogColumn> meaning_of(std::string_view header) {
  std::string name(header);
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto [stem, unit] = cut_unit(name);
  for (const Alias& alias : kAliases) {
    if (alias.name == name && alias.name != "first" && alias.name != "last") return alias.meaning;
    const bool may_have_unit = is_time(alias.meaning) || alias.name == "fully_placed";
    if (alias.name == stem && unit && may_have_unit) return alias.meaning;
  }
  return std::nullopt;
}

std::vector<std::string_view> known() {
  std::vector<std::string_view> names;
  for (const Alias& alias : kAliases)
    if (alias.name != "first" && alias.name != "last") names.push_back(alias.name);
  return names;
}

}  // namespace

LogColumns::LogColumns(const CsvDocument& table, const SourceText& source, Diagnostics& problems) {
  const SourceMark header{&source, 1, 1};
  for (std::size_t i = 0; i < table.header.size(); ++i) {
    const std::string& name = table.header[i];
    const auto meaning = meaning_of(name);
    if (!meaning) {
      problems.add(table.header_marks[i], "unknown column " + in_quotes(name) + "; " + known_names(name, known()));
      continue;
    }
    if (name == "threads_first_placed") counts_sub_groups_ = true;
    if (*meaning == LogColumn::ignored) continue;
    if (!positions_.emplace(*meaning, i).second)
      problems.add(table.header_marks[i], "the columns " + in_quotes(names_.at(*meaning)) + " and " + in_quotes(name) +
                                              " mean the same; leave one of them out");
    names_.emplace(*meaning, name);
  }
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

std::string_view LogColumns::text(const CsvRow& row, LogColumn column) const {
  const auto found = positions_.find(column);
  return found == positions_.end() ? std::string_view() : std::string_view(row.cells[found->second]);
}

LogUnit LogColumns::unit(LogColumn column) const {
  std::string name = names_.at(column);
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto [stem, unit] = cut_unit(name);
  if (!unit) return {};
  return {*unit > 0 ? std::optional(Duration{*unit}) : std::nullopt, true};
}

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
