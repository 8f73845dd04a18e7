#pragma once

#include <gdsim/occupancy/occupancy.hpp>
#include <gdsim/report/csv/csv_writer.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace gdsim::cli {

/// The columns that answer a row of a table, in this order.
inline constexpr std::array<std::string_view, 9> kAnswerColumns{
    "status",   "threads_per_work_group", "work_groups_per_core", "threads_per_core",   "occupancy_percent",
    "limiters", "vendor_value",           "allocated_registers",  "allocated_slm_bytes"};
/// A further column after them, for clusters.
inline constexpr std::string_view kClusterColumn = "active_clusters";
enum class AnswerClusters : std::uint8_t { no, yes };

/// `ok`, `refused`, `does_not_fit`.
std::string_view name_of(FitStatus status);

/// `threads+slm`.
std::string limiters_text(const std::vector<Resource>& limiters);

/// Writes the cells of kAnswerColumns into the current row, and of kClusterColumn if `clusters` asks for it.
void write_answer(const Occupancy& occupancy, AnswerClusters clusters, CsvWriter& csv);
/// The same for a request that could not be read.
void write_error(std::string_view message, AnswerClusters clusters, CsvWriter& csv);

}  // namespace gdsim::cli
