#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/report/sink.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// Writes the tables of a run. Their columns are stable (CHANGELOG.md). It is a defect if the rows were not kept.
void write_timeline_csv(const RunReport& report, Sink& sink);
void write_cores_csv(const RunReport& report, Sink& sink);
void write_phases_csv(const RunReport& report, Sink& sink);
void write_work_groups_csv(const RunReport& report, Sink& sink);

/// Lists every core on which a work-group has threads, as `0+2`. `more` are those besides the core of its first thread.
std::string cores_text(const WorkGroupRecord& record, const std::vector<CoreId>& more);

}  // namespace gdsim
