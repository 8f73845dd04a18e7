#pragma once

#include <gdsim/base/csv_table.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/base/text.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gdsim {

/// Returns a name in lower case, without blanks, underscores and hyphens.
std::string plain_name(std::string_view name);

/// A column's name and its unit: `Start Time (ns)`, `start_time_ns`, `StartTime:ts_ns` and `StartTimeNs` are
/// `starttime` in `ns`.
struct ColumnName {
  std::string plain;  ///< by plain_name()
  std::string unit;   ///< as written: whatever stands in brackets, or a unit set apart; empty: none
};
ColumnName column_name(std::string_view name);

/// Returns the power of ten of one unit of time in picoseconds: 3 for `ns`, `nsecond`, `nanoseconds`. Returns nullopt
/// if the unit is none of `ps ns us ms s` and their longer words.
std::optional<int> time_exponent(std::string_view unit);
std::optional<Duration> time_unit(std::string_view unit);
/// `cycle`, `cycles`
bool is_cycles(std::string_view unit);

/// The units that a column's name may have.
enum class UnitInName : std::uint8_t {
  none,            ///< no unit
  time,            ///< a unit of time, or none
  time_or_cycles,  ///< a unit of time, or cycles, or none
  needed,          ///< a unit of time, or cycles
};
/// Returns true if a column with the units of `expected` may have this unit; false if it is empty.
bool may_have_unit(UnitInName expected, std::string_view unit);

/// The names of columns of one meaning, separated by blanks.
template <class Meaning>
struct ColumnAliases {
  Meaning meaning;
  std::string_view names;
  UnitInName unit = UnitInName::none;
};

/// Returns true if `plain` is one of the names, in whatever spelling they are.
bool is_among(std::string_view plain, std::string_view names);
/// Returns the names of one list after the other, as messages list them.
std::vector<std::string_view> all_names(std::string_view names);

/// Returns the meaning of a column of this name, or null.
template <class Meaning>
const ColumnAliases<Meaning>* find_column(std::string_view name, std::span<const ColumnAliases<Meaning>> columns) {
  const std::string whole = plain_name(name);
  const ColumnName split = column_name(name);
  for (const ColumnAliases<Meaning>& column : columns) {
    if (column.unit != UnitInName::needed && is_among(whole, column.names)) return &column;
    if (may_have_unit(column.unit, split.unit) && is_among(split.plain, column.names)) return &column;
  }
  return nullptr;
}

/// The columns of a table by meaning: every column has one, and no two have the same.
template <class Meaning>
class NamedColumns {
 public:
  /// Adds to `problems` the columns that are unknown, or mean the same as an earlier one. All references must outlive
  /// this.
  NamedColumns(const CsvDocument& table, std::span<const ColumnAliases<Meaning>> known, Diagnostics& problems)
      : table_(table), cells_(table, problems) {
    std::size_t unknown = 0;
    for (std::size_t i = 0; i < table.header.size() && unknown < kMaxUnknown; ++i) {
      const std::string& name = table.header[i];
      const ColumnAliases<Meaning>* column = find_column(name, known);
      if (column == nullptr) {
        ++unknown;
        problems.add(table.header_marks[i], "unknown column " + in_quotes(name) + "; " + known_words(name, known));
      } else if (const auto [entry, is_new] = columns_.emplace(column->meaning, KnownColumn(i, name)); !is_new) {
        problems.add(table.header_marks[i], "the columns " + in_quotes(table.header[entry->second.position]) + " and " +
                                                in_quotes(name) + " mean the same; leave one of them out");
      }
    }
  }

  bool has(Meaning column) const { return columns_.contains(column); }
  /// Returns the name in the header. The column must exist, here and below, except for text().
  const std::string& name(Meaning column) const { return table_.header[columns_.at(column).position]; }
  /// Returns the unit as written, and the unit of time that it means.
  const std::string& unit(Meaning column) const { return columns_.at(column).unit; }
  std::optional<Duration> unit_of_time(Meaning column) const { return columns_.at(column).time; }

  /// Returns the text in a row without blanks around it; empty if there is no such column.
  std::string_view text(const CsvRow& row, Meaning column) const {
    const auto entry = columns_.find(column);
    return entry == columns_.end() ? std::string_view() : trimmed(row.cells[entry->second.position]);
  }
  /// Each returns 0 after a problem.
  std::uint64_t whole(const CsvRow& row, Meaning column, std::uint64_t max, std::int64_t min = 0) const {
    return static_cast<std::uint64_t>(
        cells_.whole(row, columns_.at(column).position, min, static_cast<std::int64_t>(max)));
  }
  Duration duration(const CsvRow& row, Meaning column) const {
    return cells_.duration(row, columns_.at(column).position, unit_of_time(column));
  }
  void fail(const CsvRow& row, Meaning column, const std::string& problem) const {
    cells_.fail(row, columns_.at(column).position, problem);
  }

 private:
  static constexpr std::size_t kMaxUnknown = 100;  ///< unknown columns that are reported

  struct KnownColumn {
    KnownColumn(std::size_t at, std::string_view name)
        : position(at), unit(column_name(name).unit), time(time_unit(unit)) {}

    std::size_t position;
    std::string unit;
    std::optional<Duration> time;
  };

  static std::string known_words(std::string_view name, std::span<const ColumnAliases<Meaning>> known) {
    std::vector<std::string_view> words;
    for (const ColumnAliases<Meaning>& column : known)
      if (column.unit != UnitInName::needed)
        for (const std::string_view word : all_names(column.names)) words.push_back(word);
    return known_names(name, words);
  }

  const CsvDocument& table_;
  CsvCells cells_;
  std::map<Meaning, KnownColumn> columns_;
};

}  // namespace gdsim
