#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/report/sink.hpp>

#include <string>

namespace gdsim {

/// Writes `graph.dot`: launches and their dependencies, for Graphviz. An edge is labeled with its cause. Host waits
/// are dashed, children dotted, and launches without slack bold.
void write_graph_dot(const RunReport& report, Sink& sink);
/// Writes the same for one of several devices; the graph is named after the device.
void write_graph_dot_of(const std::string& device, const RunReport& report, Sink& sink);

}  // namespace gdsim
