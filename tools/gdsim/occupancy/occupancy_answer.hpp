#pragma once

#include <gdsim/occupancy/occupancy.hpp>
#include <gdsim/report/result_table.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace gdsim::cli {

/// Whether clusters were asked about.
enum class AnswerClusters : std::uint8_t { no, yes };

/// `ok`, `refused`, `does_not_fit`.
std::string_view name_of(FitStatus status);

/// `threads+slm`.
std::string limiters_text(const std::vector<Resource>& limiters);

/// The columns that answer a row of a table; with clusters, one more at the right.
ResultColumns<Occupancy> answer_columns(AnswerClusters clusters);

}  // namespace gdsim::cli
