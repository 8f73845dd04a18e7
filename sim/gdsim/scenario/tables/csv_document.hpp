#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/quantity.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// One record of a CSV file.
struct CsvRow {
  std::vector<std::string> cells;
  SourceMark mark;  ///< of its first cell
};

/// A CSV file with a header (RFC 4180; LF or CRLF; an empty line is no row).
struct CsvDocument {
  std::vector<std::string> header;
  std::vector<SourceMark> header_marks;  ///< of its cells
  std::vector<CsvRow> rows;
};

/// Reads a CSV file. Adds to `problems` a quote that is never closed, a header that is missing or has a name twice, and
/// rows whose number of cells differs from the header's. `separator` separates cells; the first `lines_above` lines
/// precede the table.
CsvDocument read_csv(const SourceText& source, Diagnostics& problems, char separator = ',',
                     std::uint32_t lines_above = 0);

/// Returns the cells of its first row, even if the rest has problems.
std::vector<std::string> csv_header(const SourceText& source);

/// Reads cells of a CSV file by the names of its columns. A cell that is missing or not of the requested kind is added
/// to the problems and counts as 0.
class CsvColumns {
 public:
  CsvColumns(const SourceText& source, Diagnostics& problems, char separator = ',');

  const std::vector<CsvRow>& rows() const { return document_.rows; }
  const std::vector<std::string>& header() const { return document_.header; }
  /// Returns the position of a column.
  std::size_t find(std::string_view name);

  std::uint64_t count(const CsvRow& row, std::size_t column);
  /// Returns a number in units of `unit`.
  Duration span(const CsvRow& row, std::size_t column, Duration unit = {1'000});
  /// Returns a time since the start, in units of `unit`.
  SimTime time(const CsvRow& row, std::size_t column, Duration unit = {1'000}) {
    return SimTime{} + span(row, column, unit);
  }
  Decimal number(const CsvRow& row, std::size_t column);
  const std::string& text(const CsvRow& row, std::size_t column) const;

 private:
  const SourceText& source_;
  Diagnostics& problems_;
  CsvDocument document_;
};

/// Parses a number of nanoseconds as in files: 12.345.
std::optional<Duration> parse_nanoseconds(std::string_view text);

}  // namespace gdsim
