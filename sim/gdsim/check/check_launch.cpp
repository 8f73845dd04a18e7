#include <gdsim/check/check_launch.hpp>

#include <gdsim/base/printable.hpp>
#include <gdsim/check/check_clusters.hpp>
#include <gdsim/fit/copy_duration.hpp>

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
  if (priority == 0 || rules.kernel_choice == KernelChoice::priority) return;
  found.push_back({at + ".priority", kNoPriorities});
}

std::string fault_of(const Copy& copy, const DeviceSpec& device) {
  if (!device.copy)
    return "the device " + device.id +
           " has no copy engines; it needs a key `copy`, with your link's numbers: `device: {base: " + device.id +
           ", copy: {engines: 2, bandwidth: 25 GB/s}}`";
  if (copy.bytes.count == 0) return "a copy must be of more than 0 bytes";
  const auto duration = duration_of(copy, *device.copy);
  if (!duration) return "the copy leaves 64-bit picoseconds (9,223,372 s)";
  return duration->count == 0 ? "the copy takes no time: it rounds to 0 ps" : "";
}

}  // namespace

Issues check_launch(const Workload& workload, std::size_t index, const DeviceSpec& device, const DispatchRules& rules) {
  Issues found;
  const Launch& launch = workload.launches[index];
  const std::string at = item_path("launches", index);
  // What comes from the parent is said there.
  if (launch.parent() != nullptr) return found;
  if (launch.is_copy()) {
    if (std::string fault = fault_of(launch.as_copy(), device); !fault.empty())
      found.push_back({at + ".copy", std::move(fault)});
    return found;
  }
  const KernelLaunch& work = launch.as_kernel();
  check_cores(work.cores, device, at, found);
  check_priority(work.priority.value_or(0), rules, at, found);
  if (launch.queue && !work.cores.empty()) {
    const Queue& queue = workload.queues[index_of(*launch.queue)];
    if (!lies_within(work.cores, queue.cores))
      found.push_back({at + ".cores", "not all of them belong to the queue " + in_quotes(queue.name) + ""});
  }
  append(found, check_clusters(workload, index, device, rules));
  return found;
}

Issues check_queue(const Workload& workload, std::size_t index, const DeviceSpec& device, const DispatchRules& rules) {
  Issues found;
  const std::string at = item_path("queues", index);
  check_cores(workload.queues[index].cores, device, at, found);
  check_priority(workload.queues[index].priority, rules, at, found);
  return found;
}

}  // namespace gdsim
