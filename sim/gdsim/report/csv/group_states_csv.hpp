#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/report/sink.hpp>

namespace gdsim {

/// Writes `group_states.csv`: a row for each placement, change and departure of a work-group on a core. If there are
/// too many to draw, only the header is written.
void write_group_states_csv(const RunReport& report, Sink& sink);

}  // namespace gdsim
