#include <gdsim/analysis/longest_kernel.hpp>

namespace gdsim {
namespace {

/// Considers the launches for which `counts` is true.
template <class Counts>
std::optional<KernelId> longest_where(const Workload& workload, const RunRecord& record, Counts counts) {
  std::optional<KernelId> longest;
  Duration max{-1};
  for (std::size_t i = 0; i < workload.launches.size(); ++i) {
    const Launch& launch = workload.launches[i];
    const LaunchRecord& life = record.launches[i];
    const OptionalDuration lasted = life.duration();
    if (!launch.is_kernel() || !lasted || !counts(launch)) continue;
    if (*lasted > max) {
      max = *lasted;
      longest = launch.as_kernel().kernel;
    }
  }
  return longest;
}

}  // namespace

std::optional<KernelId> longest_kernel_id(const Workload& workload, const RunRecord& record) {
  return longest_where(workload, record, [](const Launch&) { return true; });
}

const Kernel* longest_kernel(const Workload& workload, const RunRecord& record) {
  const auto longest = longest_kernel_id(workload, record);
  return longest ? &workload.kernels[index_of(*longest)] : nullptr;
}

const Kernel* longest_own_kernel(const Workload& workload, const RunRecord& record) {
  const auto longest =
      longest_where(workload, record, [](const Launch& launch) { return !launch.as_kernel().is_part_of_collective; });
  return longest ? &workload.kernels[index_of(*longest)] : nullptr;
}

}  // namespace gdsim
