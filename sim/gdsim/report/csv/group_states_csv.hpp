#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/report/sink.hpp>

namespace gdsim {

/// `group_states.csv`: a row for each placement, change and departure of a work-group on a core. Empty but for its
/// header where there are too many to draw.
void write_group_states_csv(const RunReport& report, Sink& sink);

}  // namespace gdsim
