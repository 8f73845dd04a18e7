#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/workload/launch_graph.hpp>

namespace gdsim {

/// Launches that wait for each other in a cycle: what makes it, link by link, once for all that reach each other.
/// Whatever their kernels are. The graph is that of the workload.
Issues check_order(const Workload& workload, const LaunchGraph& graph);

}  // namespace gdsim
