#include <gdsim/host/hardware_queues.hpp>

namespace gdsim {

std::vector<std::uint32_t> hardware_queues_of(const Workload& workload, const DeviceSpec& device) {
  std::vector<std::uint32_t> queues;
  if (!device.hardware_queues) return queues;
  for (std::size_t i = 0; i < workload.queues.size(); ++i) {
    const auto count = device.hardware_queues->count;
    queues.push_back(workload.queues[i].hardware.value_or(static_cast<std::uint32_t>(count ? i % *count : i)));
  }
  return queues;
}

}  // namespace gdsim
