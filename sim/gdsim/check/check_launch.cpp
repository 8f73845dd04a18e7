#include <gdsim/check/checks.hpp>

#include <gdsim/base/keys.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/device/core_blocks.hpp>
#include <gdsim/device/device_rules.hpp>
#include <gdsim/fit/core.hpp>
#include <gdsim/fit/limits.hpp>
#include <gdsim/host/host_costs.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

using Groups = std::optional<std::vector<CoreBlock>>;

/// Returns the number of the group that contains the core; 0 if there are no groups.
std::size_t group_of(const Groups& groups, std::size_t core) {
  if (!groups) return 0;
  const auto group_behind =
      std::upper_bound(groups->begin(), groups->end(), core,
                       [](std::size_t number, const CoreBlock& group) { return number < group.last; });
  return static_cast<std::size_t>(group_behind - groups->begin());
}

/// Returns the maximum number of cores that a cluster may use, in the partition where it is smallest. A
/// cluster lies in one group, one dispatcher and one partition.
std::uint64_t cores_together(const DeviceSpec& device, const DispatchRules& rules, const CoreSelection& allowed) {
  const Groups clusters = groups_of_level(device, device.clusters->within);
  const Groups dispatchers = core_blocks(device, rules.interval ? rules.interval->dispatchers : "device");
  const Groups partitions = rules.partition ? groups_of_level(device, rules.partition->across) : std::nullopt;
  std::map<std::size_t, std::map<std::pair<std::size_t, std::size_t>, std::uint64_t>> counts;  // by partition
  const CoreSelection all{{CoreId{0}, static_cast<CoreId>(device.cores - 1)}};
  for (const CoreRange& range : allowed.empty() ? all : allowed)
    for (std::size_t core = index_of(range.first); core <= index_of(range.last); ++core)
      ++counts[group_of(partitions, core)][{group_of(clusters, core), group_of(dispatchers, core)}];
  std::optional<std::uint64_t> fewest;
  for (const auto& [partition, places] : counts) {
    std::uint64_t max = 0;
    for (const auto& [place, cores] : places) max = std::max(max, cores);
    fewest = std::min(fewest.value_or(max), max);
  }
  return fewest.value_or(0);
}

}  // namespace

Issues check_clusters(const Workload& workload, std::size_t launch, const DeviceSpec& device,
                      const DispatchRules& rules) {
  Issues found;
  const Launch& definition = workload.launches[launch];
  if (!definition.is_kernel() || index_of(definition.as_kernel().kernel) >= workload.kernels.size()) return found;
  const Kernel& kernel = workload.kernel_of(definition);
  const std::uint64_t size = kernel.cluster_size();
  if (kernel.preferred_cluster_size() <= 1 || !device.clusters) return found;
  const bool is_sound = check_kernel_values(kernel, 0, workload.kernels.size()).empty();
  if (!is_sound || !kernel.range.is_countable()) return found;
  const std::string at = item_path("launches", launch) + ".kernel";
  if (rules.admission != Admission::whole)
    found.push_back(
        {at, "has clusters, whose work-groups are placed together: they need `dispatch: {admission: whole}`"});
  if (!kernel.preferred_cluster.empty() && rules.partition)
    found.push_back({at,
                     "has clusters of a preferred size, which are not dealt out to parts of the device: leave out "
                     "`preferred`, or `dispatch: {partition: ...}`"});
  const CoreSelection& cores = workload.cores_of(definition);
  const bool are_known = cores.empty() || index_of(cores.back().last) < device.cores;
  if (!are_known || !core_refusals(kernel, device).empty()) return found;
  const std::uint64_t together = cores_together(device, rules, cores);
  if (together < size)
    found.push_back({at,
                     "a cluster has " + std::to_string(size) + " " + device.terms.work_group + "s, each on a " +
                         device.terms.core + " of its own, and this launch may use " + std::to_string(together) +
                         " of a " + device.clusters->within + " together",
                     "cluster_too_large"});
  return found;
}

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
    const Launch& awaited = workload.launches[index_of(before)];
    if (awaited.is_remote())
      found.push_back({at + ".after", in_quotes(awaited.name) +
                                          " is of another device, whose triggers do not come here; wait for its end, "
                                          "as in `after: [" +
                                          awaited.name + "]`"});
    else if (!awaited.is_kernel() || awaited.parent() != nullptr)
      found.push_back(
          {at + ".after", in_quotes(awaited.name) + " is no launch of a kernel by the host: it triggers nothing"});
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

namespace {

/// Checks that the ranges are ascending and separate, as normalized() makes them.
void check_cores(const CoreSelection& cores, const std::string& at, ValueChecker& out) {
  for (std::size_t i = 0; i < cores.size(); ++i) {
    const std::string path = item_path(at, i);
    if (cores[i].first > cores[i].last)
      out.fail(path, "goes from core " + std::to_string(index_of(cores[i].first)) + " to core " +
                         std::to_string(index_of(cores[i].last)) + "; a range goes from the lower core to the higher");
    if (i > 0 && cores[i].first <= cores[i - 1].last)
      out.fail(path, "begins before the range in front of it ends; ranges must ascend and not overlap");
  }
}

/// Paths are made only for problems: a workload may have millions of launches.
template <class Ids>
void check_ids(const Ids& ids, std::size_t size, const std::string& at, const char* key, const char* item,
               ValueChecker& out) {
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (index_of(ids[i]) >= size) out.id(item_path(at + key, i), index_of(ids[i]), size, item);
}

}  // namespace

Issues check_queue_values(const Queue& queue, std::size_t index) {
  ValueChecker out;
  const std::string at = item_path("queues", index);
  out.keys(at, keys::kQueue, queue);
  check_cores(queue.cores, at + ".cores", out);
  return out.take();
}

Issues check_launch_values(const Workload& workload, std::size_t index) {
  ValueChecker out;
  const Launch& launch = workload.launches[index];
  const std::string at = item_path("launches", index);
  out.keys(at, keys::kLaunch, launch);
  check_ids(launch.after, workload.launches.size(), at, ".after", "launch", out);
  check_ids(launch.after_triggers, workload.launches.size(), at, ".after", "launch", out);
  check_ids(launch.host_waits, workload.launches.size(), at, ".wait", "launch", out);
  if (launch.queue) out.id(at + ".queue", index_of(*launch.queue), workload.queues.size(), "queue");
  check_ids(launch.reads, workload.buffers.size(), at, ".reads", "buffer", out);
  check_ids(launch.writes, workload.buffers.size(), at, ".writes", "buffer", out);
  if (launch.work.valueless_by_exception()) {
    out.fail(at + ".work", "is neither a kernel nor a copy: an exception took its value");
  } else if (launch.is_copy()) {
    out.key({at + ".copy", "bytes"}, keys::kLaunchCopy.facts_of("bytes"), launch.as_copy().bytes);
    out.enumerator(at + ".copy.direction", launch.as_copy().direction, CopyDirection::to_device);
  } else if (launch.is_kernel()) {
    out.id(at + ".kernel", index_of(launch.as_kernel().kernel), workload.kernels.size(), "kernel");
    out.keys(at, keys::kLaunch, launch.as_kernel());
    check_cores(launch.as_kernel().cores, at + ".cores", out);
  }
  return out.take();
}

}  // namespace gdsim
