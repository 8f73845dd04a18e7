#include <gdsim/host/hardware_queues.hpp>

#include <limits>
#include <map>

namespace gdsim {
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

Processes processes_of(const Workload& workload, const DispatchRules& rules) {
  Processes processes;
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
    processes.of_launches.push_back(launch.parent() != nullptr ? processes.of(launch.parent()->launch)
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
  queues.start_after_end = device.hardware_queues->starts == HardwareQueueStart::after_end;
  if (rules.preemption) queues.processes = processes_of(workload, rules).of_launches;
  return queues;
}

}  // namespace gdsim
