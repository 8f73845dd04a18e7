#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/report/sink.hpp>

namespace gdsim {

/// Writes `groups.csv`: sums over the cores of each group of every level of the device's `core_groups`, over time. A
/// group has a row at the first dispatch and one at each of its changes. Rows are sorted by time, then level from the
/// outermost, then group. Groups of a level are numbered across the device. `occupancy_percent` is of the group's
/// contexts. There is no such file for a device without groups.
void write_core_groups_csv(const RunReport& report, Sink& sink);

/// Writes `group_states.csv`: a row for each placement, change and departure of a work-group on a core. If there are
/// too many to draw, only the header is written.
void write_group_states_csv(const RunReport& report, Sink& sink);

}  // namespace gdsim
