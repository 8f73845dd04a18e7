#pragma once

#include <gdsim/workload/launch_graph.hpp>

#include <cstddef>
#include <optional>
#include <vector>

namespace gdsim {

/// The first launch in the file of each graph queue: the host submits the queue's other launches with it.
class FirstNodes {
 public:
  /// The workload must outlive this.
  explicit FirstNodes(const Workload& workload);

  /// Returns the first launch of the graph of `launch`; nullopt if `launch` is in no graph, or is the first itself.
  std::optional<std::size_t> before(std::size_t launch) const {
    const auto queue = workload_.graph_of(workload_.launches[launch]);
    return queue && first_[index_of(*queue)] != launch ? first_[index_of(*queue)] : std::nullopt;
  }

 private:
  std::vector<std::optional<std::size_t>> first_;  ///< by queue
  const Workload& workload_;
};

/// Returns, by launch, the earliest time of its submission: its `at`, or that of the first launch of its graph. A
/// launch with `wait:` and no `at` takes the latest time of the launches that must have been submitted before it: all
/// that it waits for, directly or indirectly.
std::vector<SimTime> host_times(const Workload& workload, const Predecessors& predecessors);

/// Returns LaunchGraph::host_order. The order of launches in a cycle is unspecified: the graph reports the cycle.
std::vector<LaunchId> make_host_order(const Workload& workload, const Predecessors& predecessors);

/// Returns the order in which hardware queues start launches, over all queues: each launch comes after those that it
/// waits for. A launch counts as submitted no earlier than the launches that it waits for. If the host waits for
/// launches, the order is that of the host.
std::vector<LaunchId> make_start_sequence(const Workload& workload, const Predecessors& predecessors,
                                          const std::vector<LaunchId>& host_order);

}  // namespace gdsim
