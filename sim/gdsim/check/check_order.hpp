#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/workload/launch_graph.hpp>

namespace gdsim {

/// Launches that wait for each other in a cycle: its links, once for each set of launches that reach each other. The
/// kernels may have issues. The graph is that of the workload.
Issues check_order(const Workload& workload, const LaunchGraph& graph);

}  // namespace gdsim
