#pragma once

#include <gdsim/base/diagnostic.hpp>

#include <cstdint>
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
std::vector<std::string> csv_header(const SourceText& source, char separator = ',');

}  // namespace gdsim
