#include <gdsim/fit/host_costs.hpp>

#include <algorithm>
#include <optional>

namespace gdsim {

HostCosts::HostCosts(const DeviceSpec& device, const Workload& workload, const LaunchGraph& graph)
    : submit_overhead_(device.submit_overhead) {
  const bool has_jit = std::any_of(workload.kernels.begin(), workload.kernels.end(),
                                   [](const Kernel& kernel) { return kernel.jit.count > 0; });
  const bool has_graph =
      std::any_of(workload.queues.begin(), workload.queues.end(), [](const Queue& queue) { return queue.is_graph; });
  if (!has_jit && !has_graph) return;
  costs_.resize(workload.launches.size());
  std::vector<bool> is_compiled(workload.kernels.size(), false);
  std::vector<bool> is_submitted(workload.queues.size(), false);
  for (const LaunchId id : graph.host_order) {
    const Launch& launch = workload.launches[index_of(id)];
    Duration& cost = costs_[index_of(id)];
    const bool is_node = launch.queue && workload.queues[index_of(*launch.queue)].is_graph;
    if (!is_node || !is_submitted[index_of(*launch.queue)]) cost = submit_overhead_;
    if (is_node) is_submitted[index_of(*launch.queue)] = true;
    if (launch.is_copy() || is_compiled[index_of(launch.as_kernel().kernel)]) continue;
    is_compiled[index_of(launch.as_kernel().kernel)] = true;
    cost = cost + workload.kernel_of(launch).jit;
  }
}

Duration dependency_gap(const DeviceSpec& device, const Workload& workload, LaunchId before, LaunchId after) {
  const auto& queue = workload.launches[index_of(after)].queue;
  const bool is_in_graph = device.graph_gap && queue && workload.queues[index_of(*queue)].is_graph &&
                           workload.launches[index_of(before)].queue == queue;
  return is_in_graph ? *device.graph_gap : device.dependency_gap;
}

}  // namespace gdsim
