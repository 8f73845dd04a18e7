#include <gdsim/host/host_costs.hpp>

#include <algorithm>
#include <limits>
#include <map>

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
    const std::size_t graph_index = nodes ? host * workload.queues.size() + index_of(*nodes) : 0;
    if (!nodes || !is_submitted[graph_index]) cost = submit_overhead_;
    if (nodes) is_submitted[graph_index] = true;
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

namespace {

/// Processes are in the order of their keys.
std::uint64_t key_of(const Workload& workload, const Launch& launch, const DispatchRules& rules) {
  if (rules.kernel_choice == KernelChoice::priority)
    return std::numeric_limits<std::uint32_t>::max() - workload.priority_of(launch);
  return launch.queue ? index_of(*launch.queue) : workload.queues.size();
}

std::string name_of(const Workload& workload, const Launch& launch, const DispatchRules& rules) {
  if (rules.kernel_choice == KernelChoice::priority) return "priority " + std::to_string(workload.priority_of(launch));
  return launch.queue ? workload.queues[index_of(*launch.queue)].name : "no queue";
}

}  // namespace

ProcessAssignment assign_processes(const Workload& workload, const DispatchRules& rules) {
  ProcessAssignment processes;
  std::map<std::uint64_t, std::pair<std::string, std::uint32_t>> known;
  for (const Launch& launch : workload.launches)
    if (launch.parent() == nullptr)
      known.try_emplace(key_of(workload, launch, rules), name_of(workload, launch, rules), 0);
  for (auto& [key, process] : known) {
    process.second = static_cast<std::uint32_t>(processes.names.size());
    processes.names.push_back(process.first);
  }
  // A child follows its parent in the list.
  for (const Launch& launch : workload.launches)
    processes.of_launches.push_back(launch.parent() != nullptr ? processes.process_of(launch.parent()->launch)
                                                               : known.at(key_of(workload, launch, rules)).second);
  return processes;
}

HardwareQueues hardware_queues_of(const Workload& workload, const DeviceSpec& device, const DispatchRules& rules) {
  HardwareQueues queues;
  if (!device.hardware_queues) return queues;
  for (std::size_t i = 0; i < workload.queues.size(); ++i) {
    const auto count = device.hardware_queues->count;
    queues.numbers.push_back(workload.queues[i].hardware.value_or(static_cast<std::uint32_t>(count ? i % *count : i)));
  }
  if (device.hardware_queues->count == 1) queues.of_unqueued = 0;
  queues.start_after_end = device.hardware_queues->starts == HardwareQueueStart::after_end;
  if (rules.preemption) queues.processes = assign_processes(workload, rules).of_launches;
  return queues;
}

}  // namespace gdsim
