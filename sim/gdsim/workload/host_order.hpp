#pragma once

#include <gdsim/workload/launch_graph.hpp>

namespace gdsim {

/// Where launches wait for each other in a circle, some order: that is told otherwise.
HostOrder make_host_order(const Workload& workload, const Predecessors& predecessors);

}  // namespace gdsim
