#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/analysis/words.hpp>
#include <gdsim/report/csv/csv_tables.hpp>
#include <gdsim/report/csv/csv_writer.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace gdsim {

/// Whether a table has a column: every table of its kind does.
struct Always {
  bool operator()(const RunReport&) const { return true; }
};

/// A column of a table. `value` is a function of a row; its type decides how it is written, and its type in Python: a
/// time (of SimTime, Duration), a count, bytes, a fraction, a truth, or a text, all of which may be missing.
template <class Value, class When = Always>
struct Column {
  std::string_view name;
  std::string_view sentence;  ///< for `gdsim help outputs`; empty: the sentence of another column names this one
  Value value;
  When when = {};  ///< whether the table of a report has the column
};
template <class Value>
Column(std::string_view, std::string_view, Value) -> Column<Value>;
template <class Value, class When>
Column(std::string_view, std::string_view, Value, When) -> Column<Value, When>;

/// A percentage of one capacity, whose amount recurs from row to row.
struct Percentage {
  std::uint64_t amount = 0;
  std::uint64_t capacity = 0;
};

/// A text that recurs in many rows one after the other. What it refers to must outlive the table.
struct RecurringText {
  std::string_view text;
};

namespace detail {

template <class T>
inline constexpr bool kIsTime = false;
template <>
inline constexpr bool kIsTime<SimTime> = true;
template <>
inline constexpr bool kIsTime<Duration> = true;
template <class T>
inline constexpr bool kIsTime<std::optional<T>> = kIsTime<T>;
template <class T>
inline constexpr bool kIsTime<CompactOptional<T>> = kIsTime<T>;

/// Copies whole blocks of 16 characters without a call, of which the last may have more than `size`.
inline char* put_blocks(char* at, const char* text, std::size_t size) {
  for (std::size_t i = 0; i < size; i += 16) std::memcpy(at + i, text + i, 16);
  return at + size;
}

/// Returns where a text of at most `size` characters may go, with room for `rest` more.
inline char* room_for_text(char* at, std::size_t size, CsvWriter& csv, std::size_t rest) {
  return size < CsvWriter::kCellSize ? at : csv.more_room(at, size + rest);
}

/// Writes the cells of one column; what recurs is kept. `put()` returns the end of the cell. There is room for
/// CsvWriter::kCellSize at `at`; a longer text makes room for itself and `rest` more characters.
template <class T>
struct CellWriter {
  static char* put(char* at, const T& value, CsvWriter& csv, std::size_t rest) {
    if constexpr (std::same_as<T, SimTime>)
      return put_nanoseconds(at, since_start(value));
    else if constexpr (std::same_as<T, Duration>)
      return put_nanoseconds(at, value);
    else if constexpr (kIsTime<T>)
      return value ? CellWriter<std::remove_cvref_t<decltype(*value)>>::put(at, *value, csv, rest) : at;
    else if constexpr (std::same_as<T, Bytes>)
      return put_count(at, static_cast<std::uint64_t>(value.count));
    else if constexpr (std::same_as<T, Ratio>)
      return put_fraction(at, value);
    else if constexpr (std::same_as<T, bool>)
      return put_csv_text(at, value ? "true" : "false");
    else if constexpr (std::integral<T>)
      return put_count(at, value);
    else
      return put_csv_text(room_for_text(at, max_csv_size(value), csv, rest), value);
  }
};

template <class T>
requires(!kIsTime<T>) struct CellWriter<std::optional<T>> {
  static char* put(char* at, const std::optional<T>& value, CsvWriter& csv, std::size_t rest) {
    return value ? CellWriter<T>::put(at, *value, csv, rest) : at;
  }
};

template <>
struct CellWriter<Percentage> {
  char* put(char* at, const Percentage& value, CsvWriter&, std::size_t) {
    Cell& cell = cells_[value.amount % cells_.size()];
    if (cell.size == 0 || cell.amount != value.amount || cell.capacity != value.capacity) {
      cell = {value.amount, value.capacity, 0, {}};
      char* const end = put_fraction(cell.text.data(), percent_of(value.amount, value.capacity));
      cell.size = static_cast<std::size_t>(end - cell.text.data());
    }
    return put_blocks(at, cell.text.data(), cell.size);
  }

 private:
  struct Cell {
    std::uint64_t amount = 0;
    std::uint64_t capacity = 0;
    std::size_t size = 0;  ///< 0: not yet computed
    std::array<char, kMaxNumberText> text{};
  };

  std::array<Cell, 256> cells_{};
};

template <>
struct CellWriter<RecurringText> {
  char* put(char* at, const RecurringText& value, CsvWriter& csv, std::size_t rest) {
    if (value.text.data() != last_.data() || value.text.size() != last_.size()) make(value.text);
    if (size_ > first_.size()) return std::copy(cell_.begin(), cell_.end(), room_for_text(at, size_, csv, rest));
    std::memcpy(at, first_.data(), first_.size());
    return at + size_;
  }

 private:
  void make(std::string_view text) {
    last_ = text;
    cell_.resize(max_csv_size(text));
    size_ = static_cast<std::size_t>(put_csv_text(cell_.data(), text) - cell_.data());
    cell_.resize(size_);
    std::copy_n(cell_.begin(), std::min(size_, first_.size()), first_.begin());
  }

  std::string_view last_;
  std::string cell_;
  std::size_t size_ = 0;
  std::array<char, 16> first_{};  ///< the first characters of the cell
};

/// Writes the rows of a table, without times if some program is a placeholder.
template <class Row, class... Columns>
class RowWriter {
 public:
  RowWriter(const std::tuple<Columns...>& columns, const RunReport& report, Sink& sink)
      : columns_(columns),
        has_times_(!is_without_duration(report.workload)),
        is_there_(std::apply([&](const auto&... all) { return std::array{all.when(report)...}; }, columns)),
        csv_(sink, header()) {}

  void write(const Row& row) { csv_.end_row(cells(row, std::index_sequence_for<Columns...>())); }
  void finish() { csv_.finish(); }

 private:
  std::vector<std::string_view> header() const {
    std::vector<std::string_view> names;
    std::size_t i = 0;
    const auto add = [&](std::string_view name) {
      if (is_there_[i++]) names.push_back(name);
    };
    std::apply([&](const auto&... all) { (add(all.name), ...); }, columns_);
    return names;
  }

  template <std::size_t... I>
  char* cells(const Row& row, std::index_sequence<I...>) {
    char* at = csv_.begin_row(kNumbers);
    ((at = cell<I>(at, row)), ...);
    return at;
  }

  template <std::size_t I>
  char* cell(char* at, const Row& row) {
    const auto& column = std::get<I>(columns_);
    if constexpr (!std::same_as<decltype(column.when), const Always>)
      if (!is_there_[I]) return at;
    if constexpr (kIsTime<decltype(column.value(row))>) {
      if (has_times_) at = std::get<I>(writers_).put(at, column.value(row), csv_, kNumbers);
    } else {
      at = std::get<I>(writers_).put(at, column.value(row), csv_, kNumbers);
    }
    *at = ',';
    return at + 1;
  }

  /// Enough for a row of numbers, and for the separators of texts.
  static constexpr std::size_t kNumbers = sizeof...(Columns) * CsvWriter::kCellSize;

  template <class C>
  using Value = std::remove_cvref_t<decltype(std::declval<const C&>().value(std::declval<const Row&>()))>;

  const std::tuple<Columns...>& columns_;
  const bool has_times_;
  const std::array<bool, sizeof...(Columns)> is_there_;
  std::tuple<CellWriter<Value<Columns>>...> writers_;
  CsvWriter csv_;
};

/// Collects the values of one column.
template <class T>
struct ColumnCollector {
  static constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
  static constexpr auto empty_list() {
    if constexpr (kIsTime<T> || std::same_as<T, Ratio> || std::same_as<T, std::optional<Ratio>> ||
                  std::same_as<T, Percentage>)
      return std::vector<double>();
    else if constexpr (std::same_as<T, Bytes>)
      return std::vector<std::int64_t>();
    else if constexpr (std::same_as<T, bool> || std::same_as<T, std::optional<bool>>)
      return std::vector<std::uint8_t>();
    else if constexpr (std::unsigned_integral<T>)
      return std::vector<std::conditional_t<sizeof(T) == sizeof(std::uint64_t), std::uint64_t, std::uint32_t>>();
    else if constexpr (std::integral<T>)
      return std::vector<T>();
    else
      return RecurringTexts();
  }

  void add(const T& value) {
    if constexpr (std::same_as<T, SimTime> || std::same_as<T, Duration>)
      values.push_back(static_cast<double>(value.count) / 1000.0);
    else if constexpr (kIsTime<T>)
      values.push_back(value ? static_cast<double>(value->count) / 1000.0 : kNothing);
    else if constexpr (std::same_as<T, Ratio>)
      values.push_back(number(value));
    else if constexpr (std::same_as<T, std::optional<Ratio>>)
      values.push_back(value ? number(*value) : kNothing);
    else if constexpr (std::same_as<T, Percentage>)
      values.push_back(number(percent_of(value.amount, value.capacity)));
    else if constexpr (std::same_as<T, std::optional<bool>>)
      values.push_back(value.value_or(false));
    else if constexpr (std::same_as<T, Bytes>)
      values.push_back(value.count);
    else if constexpr (std::integral<T>)
      values.push_back(value);
    else if constexpr (std::same_as<T, RecurringText>)
      values.add(value.text);
    else
      values.add(value);
  }

  static double number(const Ratio& ratio) {
    return ratio.denominator == 0 ? kNothing
                                  : static_cast<double>(static_cast<long double>(ratio.numerator) /
                                                        static_cast<long double>(ratio.denominator));
  }

  decltype(empty_list()) values;
};

template <class C, class Row>
using CollectorOf =
    ColumnCollector<std::remove_cvref_t<decltype(std::declval<const C&>().value(std::declval<const Row&>()))>>;

}  // namespace detail

/// A table of a run: its columns, and a function that calls `take(row)` for each row of a report.
template <class Row, class Rows, class... Columns>
class RunTable : public CsvTable {
 public:
  RunTable(std::string_view file, std::string_view words, Rows rows, Columns... columns)
      : file_(file), words_(words), rows_(rows), columns_(columns...) {}

  std::string_view file() const override { return file_; }
  std::string_view words() const override { return words_; }

  std::vector<ColumnWords> columns(const RunReport* report) const override {
    std::vector<ColumnWords> all;
    const auto add = [&](const auto& column) {
      if (report == nullptr || column.when(*report)) all.push_back({std::string(column.name), column.sentence});
    };
    std::apply([&](const auto&... column) { (add(column), ...); }, columns_);
    return all;
  }

  void write(const RunReport& report, Sink& sink) const override {
    detail::RowWriter<Row, Columns...> writer(columns_, report, sink);
    rows_(report, [&](const Row& row) { writer.write(row); });
    writer.finish();
  }

  std::vector<ColumnValues> values(const RunReport& report, std::string_view only) const override {
    std::vector<ColumnValues> all;
    std::tuple<detail::CollectorOf<Columns, Row>...> lists;
    const auto is_wanted = std::apply(
        [&](const auto&... column) {
          return std::array{((only.empty() || column.name == only) && column.when(report))...};
        },
        columns_);
    const auto each = [&](const auto& use) { use_each(use, lists, std::index_sequence_for<Columns...>()); };
    rows_(report, [&](const Row& row) {
      each([&](std::size_t i, const auto& column, auto& list) {
        if (is_wanted[i]) list.add(column.value(row));
      });
    });
    each([&](std::size_t i, const auto& column, auto& list) {
      if (is_wanted[i]) all.push_back({std::string(column.name), std::move(list.values)});
    });
    return all;
  }

 private:
  template <class Use, class Lists, std::size_t... I>
  void use_each(const Use& use, Lists& lists, std::index_sequence<I...>) const {
    (use(I, std::get<I>(columns_), std::get<I>(lists)), ...);
  }

  std::string_view file_;
  std::string_view words_;
  Rows rows_;
  std::tuple<Columns...> columns_;
};

/// Makes a table whose rows are of type Row.
template <class Row, class Rows, class... Columns>
RunTable<Row, Rows, Columns...> run_table(std::string_view file, std::string_view words, Rows rows,
                                          Columns... columns) {
  return {file, words, rows, columns...};
}

}  // namespace gdsim

// Columns that several tables have. Each is a function of any row with a member of that name.

namespace gdsim::shared {

inline constexpr Column kTime{"time_ns", "the time since the host began; the row holds from this time on",
                              [](const auto& row) { return row.time; }};
inline constexpr Column kStart{"start_ns", "", [](const auto& row) { return row.begin; }};
inline constexpr Column kEnd{"end_ns", "", [](const auto& row) { return row.end; }};
inline constexpr Column kCore{"core", "the number of the core, from 0",
                              [](const auto& row) { return static_cast<std::uint32_t>(index_of(row.core)); }};

// Of a row's `resident`, and of `contexts`, which are all that the threads might hold.
inline constexpr Column kResident{"threads_resident", "threads that hold a context",
                                  [](const auto& row) { return row.resident.threads; }};
inline constexpr Column kRunning{"threads_running", "those that execute, or wait for issue slots, memory or SLM",
                                 [](const auto& row) { return row.resident.running; }};
inline constexpr Column kStalled{"threads_stalled",
                                 "all other resident threads: at a barrier, or ended before their work-group",
                                 [](const auto& row) { return row.resident.threads - row.resident.running; }};
inline constexpr Column kOccupancy{"occupancy_percent",
                                   "resident threads in percent of all contexts: of the device, core or group",
                                   [](const auto& row) {
                                     return Percentage{row.resident.threads, row.contexts};
                                   }};
inline constexpr Column kResidentGroups{"work_groups_resident", "work-groups with a resident thread",
                                        [](const auto& row) { return row.resident.work_groups; }};
inline constexpr Column kSlm{"slm_bytes", "allocated SLM, as the device rounds it, including what it reserves",
                             [](const auto& row) { return row.resident.slm; }};

}  // namespace gdsim::shared
