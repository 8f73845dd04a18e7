#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/infer/log/log_columns.hpp>
#include <gdsim/infer/log/placement_log.hpp>
#include <gdsim/scenario/tables/csv_document.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {

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
