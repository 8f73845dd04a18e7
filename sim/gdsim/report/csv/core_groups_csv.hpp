#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/report/sink.hpp>

namespace gdsim {

/// `groups.csv`: every group of every level of the device's `core_groups` over time, the sums of its cores. A row where
/// that group changed, and one for each group at the first dispatch; by time, then level from the outermost, then
/// group. Groups of a level are numbered through the device. `occupancy_percent` is of the group's contexts. Not
/// written on a device without groups.
void write_core_groups_csv(const RunReport& report, Sink& sink);

}  // namespace gdsim
