#pragma once

#include <gdsim/base/csv_table.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/scenario/source_files.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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
  ProbeCells(const ProbeTable& table, Diagnostics& problems) : cells_(table.document, problems) {}

  const std::string& text(const CsvRow& row, std::string_view column) { return cells_.text(row, cells_.find(column)); }
  /// A whole number of at least `min` and at most `max`.
  std::int64_t bounded(const CsvRow& row, std::string_view column, std::int64_t min, std::int64_t max) {
    return cells_.whole(row, cells_.find(column), min, max);
  }
  /// A whole number, which may be negative.
  std::int64_t whole(const CsvRow& row, std::string_view column) { return bounded(row, column, -kMost, kMost); }
  /// Nothing if the cell is empty.
  std::optional<std::int64_t> optional_whole(const CsvRow& row, std::string_view column) {
    return text(row, column).empty() ? std::nullopt : std::optional(whole(row, column));
  }
  /// A decimal of at most three places, in thousandths; at least 0.
  std::int64_t thousandths(const CsvRow& row, std::string_view column) {
    return cells_.thousandths(row, cells_.find(column));
  }
  std::optional<std::int64_t> optional_thousandths(const CsvRow& row, std::string_view column) {
    return text(row, column).empty() ? std::nullopt : std::optional(thousandths(row, column));
  }

 private:
  static constexpr std::int64_t kMost = std::int64_t{1} << 62;

  CsvCells cells_;
};

/// The header of the probe's tables, about the device.
struct ProbeFacts {
  std::string device;
  std::string architecture;  ///< `cc-9.0`, `gfx90a`
  std::string runtime;
  std::string driver;
  std::string date;  ///< of the first table, YYYY-MM-DD
  std::uint32_t cores = 0;
  std::uint32_t threads_per_core = 0;
  std::int64_t shared_bytes_per_core = 0;
  std::int64_t l2_bytes = 0;       ///< 0: not known
  std::int64_t clock_hertz = 0;    ///< of cores, measured; 0: not known
  std::int64_t timer_step_ns = 0;  ///< step of the timer
  std::int64_t clock_bits = 0;     ///< 64: cycles can be counted
};

/// The readable tables of one device, and the tables left out.
struct ProbeLogs {
  ProbeFacts facts;
  std::vector<ProbeTable> tables;
  std::vector<Diagnostic> left_out;  ///< why tables are missing, each with its place

  /// Null if there is no such table.
  const ProbeTable* find(std::string_view experiment, std::string_view table) const;
};

/// Reads the probe's tables: all of a folder, or single files. A table that is damaged, or whose header names another
/// device than most of the others, is left out with its problems. Throws InputError with all problems if nothing is
/// left. `sources` must outlive the result.
ProbeLogs read_probe_logs(const std::vector<std::string>& paths, SourceFiles& sources);

/// The result of `read(table, problems)` for the table TABLE.TABLE. Nothing, and in `why` the reason, if the table is
/// missing or unusable; its problems are added to `left_out`.
template <class Read>
auto read_usable(const ProbeLogs& logs, const std::string& name, Read read, std::string& why,
                 std::vector<Diagnostic>& left_out) {
  Diagnostics problems;
  const ProbeTable* table = logs.find(name, name);
  using Usable = std::optional<decltype(read(*table, problems))>;
  why = "the table " + name + "." + name + " is not there";
  if (table == nullptr) return Usable();
  auto found = read(*table, problems);
  left_out.insert(left_out.end(), problems.problems().begin(), problems.problems().end());
  why = "the table " + name + "." + name + " cannot be used";
  return problems.empty() && !found.empty() ? Usable(std::move(found)) : Usable();
}

}  // namespace gdsim
