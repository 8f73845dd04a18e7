#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/scenario/tables/csv_document.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace gdsim {

/// One table that tools/probe has written: comment lines `# KEY: VALUE`, then rows.
struct ProbeTable {
  std::string experiment;
  std::string table;
  std::map<std::string, std::string> header;  ///< the comment lines
  CsvDocument document;
  const SourceText* source = nullptr;

  /// Empty if there is no such line.
  std::string fact(const std::string& key) const;
};

/// Reads a table whose file was called EXPERIMENT.TABLE.csv; the name and its own header must agree. Every problem is
/// added; the result is usable only if there is none. `source` must outlive it.
ProbeTable read_probe_table(const SourceText& source, const std::string& experiment, const std::string& table,
                            Diagnostics& problems);

/// The cells of a table by the names of their columns, as numbers. A missing column is one problem, and each cell of a
/// wrong type is one; 0 is read instead. Both references must outlive this.
class ProbeCells {
 public:
  ProbeCells(const ProbeTable& table, Diagnostics& problems) : table_(table), problems_(problems) {}

  const std::string& text(const CsvRow& row, std::string_view column);
  /// A whole number, which may be negative.
  std::int64_t whole(const CsvRow& row, std::string_view column);
  /// Nothing if the cell is empty.
  std::optional<std::int64_t> optional_whole(const CsvRow& row, std::string_view column);
  /// A whole number of at least `min` and at most `max`.
  std::int64_t bounded(const CsvRow& row, std::string_view column, std::int64_t min, std::int64_t max);
  /// A decimal of at most three places, in thousandths; at least 0.
  std::int64_t thousandths(const CsvRow& row, std::string_view column);
  std::optional<std::int64_t> optional_thousandths(const CsvRow& row, std::string_view column);

 private:
  void fail(const CsvRow& row, std::string_view column, std::string_view cell, std::string_view wanted);

  const ProbeTable& table_;
  Diagnostics& problems_;
  std::set<std::string, std::less<>> missing_;
};

}  // namespace gdsim
