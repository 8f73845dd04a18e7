#pragma once

#include <gdsim/occupancy/occupancy.hpp>
#include <gdsim/report/csv/csv_writer.hpp>

#include <array>
#include <string>
#include <string_view>

namespace gdsim::cli {

/// The columns that answer a row of a table, in this order.
inline constexpr std::array<std::string_view, 10> kAnswerColumns{
    "status",   "threads_per_work_group", "work_groups_per_core", "threads_per_core",    "occupancy_percent",
    "limiters", "vendor_value",           "allocated_registers",  "allocated_slm_bytes", "active_clusters"};

/// `ok`, `refused`, `does_not_fit`.
std::string_view name_of(FitStatus status);

/// `threads+slm`.
std::string limiters_text(const std::vector<Resource>& limiters);

/// Writes the cells of kAnswerColumns into the current row.
void write_answer(const Occupancy& occupancy, CsvWriter& csv);
/// The same where the question could not be understood.
void write_error(std::string_view message, CsvWriter& csv);

}  // namespace gdsim::cli
