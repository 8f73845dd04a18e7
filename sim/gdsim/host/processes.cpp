#include <gdsim/host/processes.hpp>

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

}  // namespace gdsim
