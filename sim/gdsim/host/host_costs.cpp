#include <gdsim/host/host_costs.hpp>

#include <algorithm>

namespace gdsim {

std::optional<Duration> duration_of(const Copy& copy, const CopyRule& rule) {
  const auto passing = round_product({Decimal::whole(static_cast<std::uint64_t>(copy.bytes.count))},
                                     {kPicosecondsPerSecond, static_cast<UInt128>(rule.bandwidth.count)});
  Duration sum;
  if (!passing || __builtin_add_overflow(*passing, rule.latency.count, &sum.count)) return std::nullopt;
  return sum;
}

HostCosts::HostCosts(const DeviceSpec& device, const Workload& workload, const LaunchGraph& graph,
                     std::span<const std::uint32_t> hosts)
    : submit_overhead_(device.submit_overhead) {
  const bool has_jit = std::any_of(workload.kernels.begin(), workload.kernels.end(),
                                   [](const Kernel& kernel) { return kernel.jit.count > 0; });
  const bool has_graph =
      std::any_of(workload.queues.begin(), workload.queues.end(), [](const Queue& queue) { return queue.is_graph; });
  if (!has_jit && !has_graph) return;
  costs_.resize(workload.launches.size());
  const std::size_t count = hosts.empty() ? 1 : *std::max_element(hosts.begin(), hosts.end()) + std::size_t{1};
  std::vector<bool> is_compiled(count * workload.kernels.size(), false);
  std::vector<bool> is_submitted(count * workload.queues.size(), false);
  for (const LaunchId id : graph.host_order) {
    const Launch& launch = workload.launches[index_of(id)];
    const std::size_t host = hosts.empty() ? 0 : hosts[index_of(id)];
    Duration& cost = costs_[index_of(id)];
    const auto nodes = workload.graph_of(launch);
    const std::size_t place = nodes ? host * workload.queues.size() + index_of(*nodes) : 0;
    if (!nodes || !is_submitted[place]) cost = submit_overhead_;
    if (nodes) is_submitted[place] = true;
    if (!launch.is_kernel()) continue;
    const std::size_t kernel = host * workload.kernels.size() + index_of(launch.as_kernel().kernel);
    if (is_compiled[kernel]) continue;
    is_compiled[kernel] = true;
    cost = cost + workload.kernel_of(launch).jit;
  }
}

Duration dependency_gap(const DeviceSpec& device, const Workload& workload, LaunchId before, LaunchId after) {
  if (!device.graph_gap) return device.dependency_gap;
  const auto graph = workload.graph_of(workload.launches[index_of(after)]);
  const bool is_within_graph = graph && workload.launches[index_of(before)].queue == graph;
  return is_within_graph ? *device.graph_gap : device.dependency_gap;
}

}  // namespace gdsim
