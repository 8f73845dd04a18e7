#include <gdsim/run/launch_objections.hpp>

#include <gdsim/model/copy_engines.hpp>

namespace gdsim {
namespace {

constexpr const char* kNoPriorities =
    "priorities count only where the dispatch obeys them: `dispatch: {kernel_choice: priority}`";

void check_cores(const CoreSelection& cores, const DeviceSpec& device, std::vector<Objection>& found,
                 const Objection& at) {
  if (cores.empty() || index_of(cores.back().last) < device.cores) return;
  Objection objection = at;
  objection.field = "cores";
  objection.message = "there is no core " + std::to_string(index_of(cores.back().last)) + "; " + device.id + " has " +
                      std::to_string(device.cores) + ", numbered from 0";
  found.push_back(std::move(objection));
}

void check_priority(std::uint32_t priority, const DispatchRules& rules, std::vector<Objection>& found,
                    const Objection& at) {
  if (priority == 0 || rules.kernel_choice == KernelChoice::priority) return;
  found.push_back({at.subject, at.index, "priority", {}, kNoPriorities, {}});
}

std::string fault_of(const Copy& copy, const DeviceSpec& device) {
  if (!device.copy) return "the device " + device.id + " has no copy engines; it needs a key `copy`";
  if (copy.bytes.count == 0) return "a copy must be of more than 0 bytes";
  const auto duration = duration_of(copy, *device.copy);
  if (!duration) return "the copy leaves 64-bit picoseconds (9,223,372 s)";
  return duration->count == 0 ? "the copy takes no time: it rounds to 0 ps" : "";
}

}  // namespace

std::vector<Objection> object_to_launch(const Workload& workload, std::size_t index, const DeviceSpec& device,
                                        const DispatchRules& rules) {
  std::vector<Objection> found;
  const Launch& launch = workload.launches[index];
  const Objection at{Objection::Subject::launch, index, {}, {}, {}, {}};
  const Queue* queue = launch.queue ? &workload.queues[index_of(*launch.queue)] : nullptr;
  // What comes from the queue is said there, what comes from the parent, too.
  if (launch.parent) return found;
  if (queue == nullptr || queue->cores != launch.cores) check_cores(launch.cores, device, found, at);
  if (queue == nullptr || queue->priority != launch.priority) check_priority(launch.priority, rules, found, at);
  if (launch.is_copy())
    if (std::string fault = fault_of(*launch.copy, device); !fault.empty())
      found.push_back({at.subject, index, "copy", {}, std::move(fault), {}});
  return found;
}

std::vector<Objection> object_to_queue(const Workload& workload, std::size_t index, const DeviceSpec& device,
                                       const DispatchRules& rules) {
  std::vector<Objection> found;
  const Objection at{Objection::Subject::queue, index, {}, {}, {}, {}};
  check_cores(workload.queues[index].cores, device, found, at);
  check_priority(workload.queues[index].priority, rules, found, at);
  return found;
}

}  // namespace gdsim
