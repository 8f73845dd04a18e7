#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/report/sink.hpp>

namespace gdsim {

/// The tables of a run; their columns stay (CHANGELOG.md). A table whose rows were not kept is a defect.
void write_timeline_csv(const RunReport& report, Sink& sink);
void write_cores_csv(const RunReport& report, Sink& sink);
void write_phases_csv(const RunReport& report, Sink& sink);
void write_work_groups_csv(const RunReport& report, Sink& sink);

}  // namespace gdsim
