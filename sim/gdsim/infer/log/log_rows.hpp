#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/infer/log/placement_log.hpp>
#include <gdsim/scenario/tables/csv_document.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// The meaning of a column of a placement log, whatever its name is.
enum class LogColumn : std::uint8_t {
  group,
  core,
  start,
  end,
  last_cycle,  ///< the last one in which the core was held
  kernel,
  gpu,
  launch,
  test,
  threads,
  registers,
  shared,
  blocks,
  shader_engine,
  shader_array,
  launched,
  trace,      ///< rows with different values are of different traces, each with its own clock
  execution,  ///< the same for executions
  ignored     ///< known, but not used for inference
};

/// The unit of a column of times, by its name: a number of picoseconds, or ticks of a clock.
struct LogUnit {
  std::optional<Duration> unit;  ///< nullopt: ticks
  bool is_named = false;         ///< the column's name contains the unit
};

/// The columns of a placement log by meaning.
class LogColumns {
 public:
  /// Adds to `problems` unknown columns, columns with two names, and missing columns that are required.
  LogColumns(const CsvDocument& table, const SourceText& source, Diagnostics& problems);

  bool has(LogColumn column) const { return positions_.contains(column); }
  /// Returns the text in a row; empty if there is no such column.
  std::string_view text(const CsvRow& row, LogColumn column) const;
  /// Returns the name in the header. The column must exist.
  const std::string& name(LogColumn column) const { return names_.at(column); }
  LogUnit unit(LogColumn column) const;
  /// Returns true if `threads` counts sub-groups, as in a table that gdsim wrote.
  bool counts_sub_groups() const { return counts_sub_groups_; }

 private:
  std::map<LogColumn, std::size_t> positions_;
  std::map<LogColumn, std::string> names_;
  bool counts_sub_groups_ = false;
};

/// A row of a placement log: a work-group, or a thread of one.
struct LogRow {
  std::string session;  ///< rows of one session ran on one device, on one clock
  std::string launch;   ///< within the session
  std::string kernel;
  LoggedLaunch description;  ///< without groups
  std::uint64_t number = 0;
  std::uint32_t shader_array = 0;
  std::uint32_t core = 0;
  std::int64_t start = 0;
  std::int64_t end = 0;
  SourceMark mark;
};

/// The rows of a table, and the unit of its times.
struct LogRows {
  std::vector<LogRow> rows;
  LogTime time = LogTime::none;
  bool has_numbers = false;  ///< rows have numbers of work-groups
};

/// Reads the rows whose GPU is `gpu`, or all if that is empty. Every problem is added with its row.
LogRows read_log_rows(const CsvDocument& table, const LogColumns& columns, const std::string& gpu,
                      Diagnostics& problems);

}  // namespace gdsim
