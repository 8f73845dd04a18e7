#pragma once

#include <gdsim/sweep/study_table.hpp>

#include <optional>
#include <string>

namespace gdsim {

/// Returns the report of a study for a person: a table, only of the best points if there are many, and the answer in
/// words.
std::string study_text(const StudyTable& table);

/// Returns the figure by which points are ranked, in the store's unit, or nullopt unless the point is ok.
std::optional<std::int64_t> metric_value(const PointResult& result, const Metric& metric);
/// Returns a value by which points are ranked, with its unit.
std::string metric_value_text(std::int64_t value, const Metric& metric);
/// `12.5 us`, `45.3 %`, `3`: a row's figure by which points are ranked; empty if it has none.
std::string metric_text(const StudyRow& row, const Metric& metric);

/// `The best is tile=32: 12 us, 1.84 times as fast as tile=16; 3 blocks per SM fit, limited by
/// registers.`
std::string best_sentence(const StudyTable& table);

}  // namespace gdsim
