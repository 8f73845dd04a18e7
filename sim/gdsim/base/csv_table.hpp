#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/base/read_budget.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// Iterates over the records of CSV text (RFC 4180; LF or CRLF). An empty line is no record.
class CsvRecords {
 public:
  /// The text is a table, below its first `lines_above` lines. Adds to `problems` a quote that is never closed, and
  /// text behind a closing quote.
  CsvRecords(const SourceText& source, Diagnostics& problems, char separator = ',', std::uint32_t lines_above = 0);
  /// A table among other lines; the text begins with line `first_line` of its file. Cells are trimmed, and a quote
  /// that is not closed within kMaxCell bytes is an ordinary character. Records have any number of cells, as far as the
  /// memory of the budget allows.
  CsvRecords(std::string_view text, char separator, std::uint32_t first_line = 1, const ReadBudget* budget = nullptr);

  /// Returns the cells of the next record, or null after the last one. They are valid until the next call.
  std::vector<std::string>* next();
  /// The first line of the last returned record, from 1.
  std::uint32_t line() const { return line_; }
  /// By cell of the last returned record: its first byte, counted from 1 where the record begins.
  const std::vector<std::uint32_t>& columns() const { return columns_; }

  static constexpr std::size_t kMaxCell = std::size_t{1} << 20;

 private:
  void read_cell();
  std::size_t read_quoted(std::size_t begin, std::string& cell);

  const SourceText* source_ = nullptr;  ///< null: the table stands among other lines
  Diagnostics* problems_ = nullptr;
  const ReadBudget* budget_ = nullptr;
  std::string_view rest_;
  std::string ends_;  ///< ends of a cell: the separator, and the line end
  std::uint32_t line_ = 0;
  std::uint32_t next_line_ = 1;
  std::size_t record_size_ = 0;  ///< the size of rest_ where the record begins
  bool has_more_cells_ = false;
  std::vector<std::string> cells_;
  std::vector<std::uint32_t> columns_;
};

/// Returns the cells of one line among others.
std::vector<std::string> csv_line_cells(std::string_view line, char separator = ',');

/// Returns the position of a cell, or nullopt if it is missing.
std::optional<std::size_t> position_of(const std::vector<std::string>& header, std::string_view name);

/// One record of a table.
struct CsvRow {
  std::vector<std::string> cells;
  SourceMark mark;  ///< of its first cell
};

/// A CSV file with a header.
struct CsvDocument {
  const SourceText* source = nullptr;
  std::vector<std::string> header;
  std::vector<SourceMark> header_marks;  ///< of its cells
  std::vector<CsvRow> rows;
};

/// Reads a CSV file. Adds to `problems` what CsvRecords finds, a header that is missing or has a name twice, and rows
/// whose number of cells differs from the header's; these are left out.
CsvDocument read_csv(const SourceText& source, Diagnostics& problems, char separator = ',',
                     std::uint32_t lines_above = 0);

/// Returns the cells of a CSV file's first row, even if the rest has problems.
std::vector<std::string> csv_header(const SourceText& source);

/// Reads `3 us`, or a number of `unit`. A problem goes on where a sentence has named the text, and says that
/// `unit_source` may give the unit.
Parsed<Duration> parse_span(std::string_view text, std::optional<Duration> unit,
                            const std::string& unit_source = "the header");

/// Reads cells of a table. What is missing or not of the requested kind is added to the problems and counts as 0. Both
/// references must outlive this.
class CsvCells {
 public:
  CsvCells(const CsvDocument& table, Diagnostics& problems) : table_(table), problems_(problems) {}

  /// Returns the position of a column. One that is missing is one problem, and its cells are empty.
  std::size_t find(std::string_view name);
  const std::string& text(const CsvRow& row, std::size_t column) const;
  /// A whole number, which may be negative.
  std::int64_t whole(const CsvRow& row, std::size_t column, std::int64_t min, std::int64_t max) const;
  /// A number of at most three decimals that is not negative, in thousandths.
  std::int64_t thousandths(const CsvRow& row, std::size_t column) const;
  Duration duration(const CsvRow& row, std::size_t column, std::optional<Duration> unit) const;
  /// Adds a problem of a cell: `NAME: PROBLEM`.
  void fail(const CsvRow& row, std::size_t column, const std::string& problem) const;

 private:
  const CsvDocument& table_;
  Diagnostics& problems_;
  std::vector<std::string> missing_;
};

}  // namespace gdsim
