#pragma once

#include <gdsim/report/run_report.hpp>
#include <gdsim/report/sink.hpp>

namespace gdsim {

/// `group_states.csv`: a row where a work-group came to a core, changed there, or left it. Empty but for its header
/// where there are too many to draw.
void write_group_states_csv(const RunReport& report, Sink& sink);

}  // namespace gdsim
