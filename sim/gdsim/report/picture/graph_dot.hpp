#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/report/sink.hpp>

namespace gdsim {

/// `graph.dot`: launches and what they wait for, for Graphviz. An edge is labelled with its cause; host waits are
/// dashed, children dotted; launches without slack are bold.
void write_graph_dot(const RunReport& report, Sink& sink);

}  // namespace gdsim
