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

/// What a column of a placement log means, whatever it is called.
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
  trace,      ///< another value: another trace, with a clock of its own
  execution,  ///< likewise
  ignored     ///< known, and no part of what is inferred
};

/// The unit of a column of times, by its name: so many picoseconds, or ticks of a clock.
struct LogUnit {
  std::optional<Duration> unit;  ///< nothing: ticks
  bool is_named = false;         ///< the column's name says so
};

/// The columns of a placement log by what they mean.
class LogColumns {
 public:
  /// A column that is not known, one that is there under two names, and what is needed and not there are added to
  /// `problems`.
  LogColumns(const CsvDocument& table, const SourceText& source, Diagnostics& problems);

  bool has(LogColumn column) const { return positions_.contains(column); }
  /// Of a row; empty if there is no such column.
  std::string_view text(const CsvRow& row, LogColumn column) const;
  /// As the header calls it; there is one.
  const std::string& name(LogColumn column) const { return names_.at(column); }
  LogUnit unit(LogColumn column) const;
  /// `threads` counts sub-groups, as in a table that gdsim wrote.
  bool counts_sub_groups() const { return counts_sub_groups_; }

 private:
  std::map<LogColumn, std::size_t> positions_;
  std::map<LogColumn, std::string> names_;
  bool counts_sub_groups_ = false;
};

}  // namespace gdsim
