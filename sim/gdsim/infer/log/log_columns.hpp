#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/scenario/tables/csv_document.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

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

}  // namespace gdsim
