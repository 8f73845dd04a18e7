#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/report/csv/csv_writer.hpp>
#include <gdsim/report/json/json_writer.hpp>
#include <gdsim/report/sink.hpp>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace gdsim {

/// Ten-thousandths of a percent, which may be negative.
struct Percent {
  std::int64_t ten_thousandths = 0;
};

/// A value of a result, or none. Files have times in nanoseconds and four decimals of percentages and fractions; for
/// people, times have the unit that suits them, percentages one decimal, and fractions two.
using ResultValue = std::variant<std::monostate, std::string, std::uint64_t, Duration, Percent, Ratio, bool>;

/// Writes the next cell; empty if there is no value.
void write_value(const ResultValue& value, CsvWriter& csv);
/// Writes the next value; null if there is none.
void write_value(const ResultValue& value, JsonWriter& json);
/// Returns the value for people; empty if there is none.
std::string words_of(const ResultValue& value);

/// The type of a column in Python: numbers are floating, with NaN for none; a missing count is -1.
enum class ResultKind : std::uint8_t { text, count, number };

namespace detail {

template <class T>
inline constexpr ResultKind kResultKind = std::convertible_to<T, std::string_view> ? ResultKind::text
                                          : std::integral<T>                       ? ResultKind::count
                                                                                   : ResultKind::number;
template <class T>
inline constexpr ResultKind kResultKind<std::optional<T>> = kResultKind<T>;

}  // namespace detail

/// A column of results: its name in files, its heading for people, and its value as a function of a row.
template <class Row>
struct ResultColumn {
  /// `of_row` returns a type of ResultValue, a std::string_view, an integer, or a std::optional of these.
  template <class OfRow>
  ResultColumn(std::string in_files, std::string for_people, OfRow of_row)
      : name(std::move(in_files)),
        heading(std::move(for_people)),
        value([of_row](const Row& row) { return value_of(of_row(row)); }),
        kind(detail::kResultKind<std::remove_cvref_t<std::invoke_result_t<OfRow, const Row&>>>) {}

  std::string name;
  std::string heading;
  std::function<ResultValue(const Row& row)> value;
  ResultKind kind;

 private:
  template <class T>
  static ResultValue value_of(const std::optional<T>& given) {
    return given ? value_of(*given) : ResultValue();
  }
  template <class T>
  static ResultValue value_of(const T& given) {
    if constexpr (std::integral<T> && !std::same_as<T, bool>)
      return static_cast<std::uint64_t>(given);
    else if constexpr (std::convertible_to<T, std::string_view>)
      return std::string_view(given).empty() ? ResultValue() : std::string(given);
    else
      return given;
  }
};

/// The columns of a table of results, whose rows are of type Row; the rows come one by one. An empty text is no value.
template <class Row>
class ResultColumns {
 public:
  ResultColumns() = default;
  ResultColumns(std::initializer_list<ResultColumn<Row>> columns) : columns_(columns) {}

  void add(ResultColumn<Row> column) { columns_.push_back(std::move(column)); }
  const std::vector<ResultColumn<Row>>& all() const& { return columns_; }
  const std::vector<ResultColumn<Row>>& all() const&& = delete;  // they end with it

  /// There must be a column of this name.
  const ResultColumn<Row>& column(std::string_view name) const {
    return *std::find_if(columns_.begin(), columns_.end(),
                         [&](const ResultColumn<Row>& column) { return column.name == name; });
  }

  /// The headings of columns for people, and a row's values.
  std::vector<std::string> headings(std::span<const std::string_view> names) const {
    std::vector<std::string> headings;
    for (const std::string_view name : names) headings.push_back(column(name).heading);
    return headings;
  }
  std::vector<std::string> words(const Row& row, std::span<const std::string_view> names) const {
    std::vector<std::string> words;
    for (const std::string_view name : names) words.push_back(words_of(column(name).value(row)));
    return words;
  }

  std::vector<std::string_view> names() const {
    std::vector<std::string_view> names;
    for (const ResultColumn<Row>& column : columns_) names.push_back(column.name);
    return names;
  }

  void write_row(const Row& row, CsvWriter& csv) const {
    for (const ResultColumn<Row>& column : columns_) write_value(column.value(row), csv);
    csv.end_row();
  }

  /// A table whose rows are in a list.
  template <class Rows>
  void write_csv(const Rows& rows, Sink& sink) const {
    const std::vector<std::string_view> header = names();
    CsvWriter csv(sink, header);
    for (const Row& row : rows) write_row(row, csv);
    csv.finish();
  }

  /// Writes the values as keys of the open object. A missing value is left out, or null.
  enum class Missing : std::uint8_t { left_out, null };
  void write_members(const Row& row, Missing missing, JsonWriter& json) const {
    for (const ResultColumn<Row>& column : columns_) {
      const ResultValue value = column.value(row);
      if (missing == Missing::left_out && std::holds_alternative<std::monostate>(value)) continue;
      json.key(column.name);
      write_value(value, json);
    }
  }

  /// Writes the rows as a list of objects.
  template <class Rows>
  void write_list(const Rows& rows, Missing missing, JsonWriter& json) const {
    json.open_list();
    for (const Row& row : rows) {
      json.open_object();
      write_members(row, missing, json);
      json.close_object();
    }
    json.close_list();
  }

 private:
  std::vector<ResultColumn<Row>> columns_;
};

/// A table for people, whose columns are as wide as their widest cell: two blanks stand between them, and blanks at the
/// end of a line are left out.
class TextTable {
 public:
  enum class Align : std::uint8_t { left, right };
  struct Column {
    std::string heading;
    Align align = Align::right;
    std::size_t width = 0;  ///< at least
  };

  /// The last column is not padded.
  explicit TextTable(std::vector<Column> columns);
  /// A table of these columns, to the right.
  explicit TextTable(const std::vector<std::string>& headings);

  /// A row may have fewer cells; the last one that it has may go on to the right.
  void add(std::vector<std::string> cells);
  std::string text() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace gdsim
