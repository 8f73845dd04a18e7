#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/report/sink.hpp>

namespace gdsim {

/// `summary.json`: the run in numbers, its phases and transitions, and which threads wait for what if it stalled.
void write_summary_json(const RunReport& report, Sink& sink);

}  // namespace gdsim
