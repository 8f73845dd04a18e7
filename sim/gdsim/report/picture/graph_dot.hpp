#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/report/sink.hpp>

#include <string>

namespace gdsim {

/// `graph.dot`: launches and what they wait for, for Graphviz. An edge is labelled with its cause; host waits are
/// dashed, children dotted; launches without slack are bold.
void write_graph_dot(const RunReport& report, Sink& sink);
/// The same, of one of several devices; the graph is called after it.
void write_graph_dot_of(const std::string& device, const RunReport& report, Sink& sink);

}  // namespace gdsim
