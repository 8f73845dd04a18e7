#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/report/sink.hpp>

namespace gdsim {

/// Writes what Nsight Compute (`ncu --csv --metrics ...`) would call the results: a row for each metric of each launch
/// of a kernel, with the metric's name, unit and value. Metrics that the simulation does not know have no row: those of
/// caches and of instructions, and every time of a launch that has not ended or whose program is a placeholder. Memory
/// traffic of a kernel's launches is divided evenly among them.
void write_ncu_metrics_csv(const RunReport& report, Sink& sink);

}  // namespace gdsim
