#include <gdsim/analysis/longest_kernel.hpp>

namespace gdsim {

std::optional<KernelId> longest_kernel_id(const Workload& workload, const RunRecord& record) {
  std::optional<KernelId> longest;
  Duration max{-1};
  for (std::size_t i = 0; i < workload.launches.size(); ++i) {
    const Launch& launch = workload.launches[i];
    const LaunchRecord& life = record.launches[i];
    const OptionalDuration lasted = life.duration();
    if (!launch.is_kernel() || !lasted) continue;
    if (*lasted > max) {
      max = *lasted;
      longest = launch.as_kernel().kernel;
    }
  }
  return longest;
}

const Kernel* longest_kernel(const Workload& workload, const RunRecord& record) {
  const auto longest = longest_kernel_id(workload, record);
  return longest ? &workload.kernels[index_of(*longest)] : nullptr;
}

}  // namespace gdsim
