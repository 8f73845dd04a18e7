#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/report/sink.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// The tables of a run; their columns stay (CHANGELOG.md). A table whose rows were not kept is a defect.
void write_timeline_csv(const RunReport& report, Sink& sink);
void write_cores_csv(const RunReport& report, Sink& sink);
void write_phases_csv(const RunReport& report, Sink& sink);
void write_work_groups_csv(const RunReport& report, Sink& sink);

/// `0+2`: every core that a work-group has threads on; `more` are those beside the core of its first thread.
std::string cores_text(const WorkGroupRecord& record, const std::vector<CoreId>& more);

}  // namespace gdsim
