#pragma once

#include <gdsim/report/sink.hpp>
#include <gdsim/sweep/study_table.hpp>

#include <string>

namespace gdsim {

/// Writes a row per point: the varied names, then status, duration_ns, speedup, peak_, mean_ and fit_occupancy_percent,
/// limiter, work_groups_per_core, waves, rank, reason.
void write_study_csv(const StudyTable& table, Sink& sink);

/// Writes the same data as an object: the study, its best point, and a list of points.
void write_study_json(const StudyTable& table, Sink& sink);

}  // namespace gdsim
