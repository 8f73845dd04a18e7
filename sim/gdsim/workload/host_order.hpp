#pragma once

#include <gdsim/workload/launch_graph.hpp>

namespace gdsim {

/// By launch, when the host wants to submit it: its `at`. One for which the host waits and which has no `at` takes the
/// latest time of those that must have been submitted before: those it waits for, and whatever these wait for.
std::vector<SimTime> host_times(const Workload& workload, const Predecessors& predecessors);

/// LaunchGraph::host_order. Where launches wait for each other in a cycle, some order: the graph reports the cycle.
std::vector<LaunchId> make_host_order(const Workload& workload, const Predecessors& predecessors);

}  // namespace gdsim
