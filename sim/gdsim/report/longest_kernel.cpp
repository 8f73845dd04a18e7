#include <gdsim/report/longest_kernel.hpp>

namespace gdsim {

const Kernel* longest_kernel(const Workload& workload, const RunRecord& record) {
  const Kernel* longest = nullptr;
  Duration max{-1};
  for (std::size_t i = 0; i < workload.launches.size(); ++i) {
    const Launch& launch = workload.launches[i];
    const LaunchRecord& life = record.launches[i];
    const OptionalDuration lasted = life.duration();
    if (launch.is_copy() || !lasted) continue;
    if (*lasted > max) {
      max = *lasted;
      longest = &workload.kernel_of(launch);
    }
  }
  return longest;
}

}  // namespace gdsim
