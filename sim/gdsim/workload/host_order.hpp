#pragma once

#include <gdsim/workload/launch_graph.hpp>

namespace gdsim {

/// The first launch in the file of each queue that is a graph: the host submits the others with it.
class FirstNodes {
 public:
  /// The workload must outlive this.
  explicit FirstNodes(const Workload& workload);

  /// Nothing: it is not in a graph.
  std::optional<QueueId> graph_of(std::size_t launch) const {
    const auto& queue = workload_.launches[launch].queue;
    return queue && workload_.queues[index_of(*queue)].is_graph ? queue : std::nullopt;
  }
  /// Nothing: it is in no graph, or the first of one.
  std::optional<std::size_t> before(std::size_t launch) const {
    const auto queue = graph_of(launch);
    return queue && first_[index_of(*queue)] != launch ? first_[index_of(*queue)] : std::nullopt;
  }

 private:
  std::vector<std::optional<std::size_t>> first_;  ///< by queue
  const Workload& workload_;
};

/// By launch, when the host wants to submit it: its `at`. One for which the host waits and which has no `at` takes the
/// latest time of those that must have been submitted before: those it waits for, and whatever these wait for.
std::vector<SimTime> host_times(const Workload& workload, const Predecessors& predecessors);

/// LaunchGraph::host_order. Where launches wait for each other in a cycle, some order: the graph reports the cycle.
std::vector<LaunchId> make_host_order(const Workload& workload, const Predecessors& predecessors);

}  // namespace gdsim
