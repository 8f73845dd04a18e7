#include <gdsim/check/check_launch.hpp>

#include <gdsim/base/printable.hpp>
#include <gdsim/check/check_clusters.hpp>
#include <gdsim/device/capability.hpp>
#include <gdsim/fit/co_residency.hpp>
#include <gdsim/fit/limits.hpp>
#include <gdsim/host/copy_duration.hpp>

#include <algorithm>

namespace gdsim {
namespace {

constexpr const char* kNoPriorities =
    "priorities count only where the dispatch obeys them: `dispatch: {kernel_choice: priority}`";

void check_cores(const CoreSelection& cores, const DeviceSpec& device, const std::string& at, Issues& found) {
  if (cores.empty() || index_of(cores.back().last) < device.cores) return;
  found.push_back({at + ".cores", "there is no core " + std::to_string(index_of(cores.back().last)) + "; " + device.id +
                                      " has " + std::to_string(device.cores) + ", numbered from 0"});
}

void check_priority(std::uint32_t priority, const DispatchRules& rules, const std::string& at, Issues& found) {
  const bool may_count = rules.kernel_choice == KernelChoice::priority || rules.kernel_choice == KernelChoice::own;
  if (priority == 0 || may_count) return;
  found.push_back({at + ".priority", kNoPriorities});
}

void check_hardware_queue(const Queue& queue, const DeviceSpec& device, const std::string& at, Issues& found) {
  if (!queue.hardware) return;
  const auto count = device.hardware_queues ? device.hardware_queues->count : std::nullopt;
  if (!device.hardware_queues) {
    found.push_back({at + ".hardware", "the model of " + device.id +
                                           " names no hardware queues that start launches in order; it needs the key "
                                           "`hardware_queues`, without `starts: any_order`, as in `hardware_queues: "
                                           "{count: 8}`"});
  } else if (count && *queue.hardware >= *count) {
    found.push_back({at + ".hardware", "there is no hardware queue " + std::to_string(*queue.hardware) + "; " +
                                           device.id + " has " + std::to_string(*count) + ", numbered from 0"});
  }
}

/// Checks a node of a graph: the host submits the graph as a whole, so its nodes have no times of their own.
void check_node(const Workload& workload, const Launch& launch, const std::string& at, Issues& found) {
  const auto graph = workload.graph_of(launch);
  if (!graph) return;
  const auto first = std::find_if(workload.launches.begin(), workload.launches.end(),
                                  [&](const Launch& other) { return other.queue == launch.queue; });
  if (&*first == &launch) return;
  const std::string of_graph = "the host submits the graph " + in_quotes(workload.queues[index_of(*graph)].name) +
                               " as a whole, with its first launch, " + in_quotes(first->name) + ": ";
  if (launch.at != SimTime{}) found.push_back({at + ".at", of_graph + "only that one may have a time"});
  if (!launch.host_waits.empty()) found.push_back({at + ".wait", of_graph + "only there may the host wait"});
}

/// A copy never triggers, and a child belongs to its parent.
void check_triggers(const Workload& workload, const Launch& launch, const std::string& at, Issues& found) {
  for (const LaunchId before : launch.after_triggers) {
    const Launch& other = workload.launches[index_of(before)];
    if (other.is_remote())
      found.push_back({at + ".after", in_quotes(other.name) +
                                          " is of another device, whose triggers do not come here; wait for its end, "
                                          "as in `after: [" +
                                          other.name + "]`"});
    else if (!other.is_kernel() || other.parent() != nullptr)
      found.push_back(
          {at + ".after", in_quotes(other.name) + " is no launch of a kernel by the host: it triggers nothing"});
  }
}

/// Checks that all its work-groups fit at once on an empty device.
void check_cooperative(const Workload& workload, const Launch& launch, const DeviceSpec& device,
                       const DispatchRules& rules, const std::string& at, Issues& found) {
  const Kernel& kernel = workload.kernel_of(launch);
  std::uint64_t cores = 0;
  for (const CoreRange& range : workload.cores_of(launch)) cores += index_of(range.last) - index_of(range.first) + 1;
  if (cores == 0) cores = device.cores;
  const std::uint64_t per_core = limits_of(kernel, device).work_groups_per_core();
  const std::uint64_t most = max_co_resident(kernel, device, rules, workload.cores_of(launch));
  const std::uint64_t groups = kernel.range.group_count();
  if (per_core == 0 || groups <= most) return;  // a kernel that does not fit is reported elsewhere
  const bool exchanges = launch.as_kernel().is_part_of_collective;
  found.push_back({at + (exchanges ? ".collective" : ".cooperative"),
                   kernel.name + " has " + std::to_string(groups) + " work-groups, of which " + std::to_string(most) +
                       " are resident at once on " + std::to_string(cores) + (cores == 1 ? " core, " : " cores, ") +
                       std::to_string(per_core) + " on each; " + (exchanges ? "a collective" : "a cooperative launch") +
                       " needs all of them: " + std::to_string(most) + " work-groups at most"});
}

std::string fault_of(const Copy& copy, const DeviceSpec& device) {
  const std::string empty = copy.bytes.count == 0 ? "a copy must be of more than 0 bytes" : "";
  if (copy.direction == CopyDirection::to_device) return empty;  // its link belongs to several devices
  if (!device.copy) return why_missing(device, capabilities::kCopy);
  if (!empty.empty()) return empty;
  const auto duration = duration_of(copy, *device.copy);
  if (!duration) return "the copy leaves 64-bit picoseconds (9,223,372 s)";
  return duration->count == 0 ? "the copy takes no time: it rounds to 0 ps" : "";
}

}  // namespace

Issues check_launch(const Workload& workload, std::size_t index, const DeviceSpec& device, const DispatchRules& rules) {
  Issues found;
  const Launch& launch = workload.launches[index];
  const std::string at = item_path("launches", index);
  // Problems that come from the parent are reported there.
  if (launch.parent() != nullptr || launch.is_remote()) return found;
  check_node(workload, launch, at, found);
  if (!launch.is_kernel()) {
    if (std::string fault = fault_of(launch.as_copy(), device); !fault.empty())
      found.push_back({at + ".copy", std::move(fault)});
    return found;
  }
  const KernelLaunch& work = launch.as_kernel();
  check_cores(work.cores, device, at, found);
  if (work.is_cooperative && found.empty()) check_cooperative(workload, launch, device, rules, at, found);
  check_priority(work.priority.value_or(0), rules, at, found);
  if (launch.queue && !work.cores.empty()) {
    const Queue& queue = workload.queues[index_of(*launch.queue)];
    if (!lies_within(work.cores, queue.cores))
      found.push_back({at + ".cores", "not all of them belong to the queue " + in_quotes(queue.name) + ""});
  }
  check_triggers(workload, launch, at, found);
  append(found, check_clusters(workload, index, device, rules));
  return found;
}

Issues check_queue(const Workload& workload, std::size_t index, const DeviceSpec& device, const DispatchRules& rules) {
  Issues found;
  const std::string at = item_path("queues", index);
  check_cores(workload.queues[index].cores, device, at, found);
  check_priority(workload.queues[index].priority, rules, at, found);
  check_hardware_queue(workload.queues[index], device, at, found);
  return found;
}

}  // namespace gdsim
