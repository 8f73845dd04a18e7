#include <gdsim/host/hardware_queues.hpp>

#include <gdsim/host/processes.hpp>

namespace gdsim {

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
