#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/workload/launch_graph.hpp>

namespace gdsim {

/// Returns the cycles of launches that wait for each other: one for each set of launches that reach each other. The
/// kernels may have issues. The graph must be that of the workload.
Issues check_order(const Workload& workload, const LaunchGraph& graph);

}  // namespace gdsim
