#include <gdsim/analysis/peer_waits.hpp>

#include <gdsim/workload/launched_kernels.hpp>

#include <algorithm>

namespace gdsim {

std::vector<bool> kernels_of_collectives(const Workload& workload) {
  std::vector<bool> are;
  for (const Launch& launch : workload.launches) {
    if (!launch.is_kernel() || !launch.as_kernel().is_part_of_collective) continue;
    are.resize(workload.kernels.size());
    are[index_of(launch.as_kernel().kernel)] = true;
  }
  return are;
}

std::vector<const Kernel*> own_launched_kernels(const Workload& workload) {
  const std::vector<bool> are_of_collectives = kernels_of_collectives(workload);
  std::vector<const Kernel*> kernels = launched_kernels(workload);
  std::erase_if(kernels, [&](const Kernel* kernel) {
    return !are_of_collectives.empty() &&
           are_of_collectives[static_cast<std::size_t>(kernel - workload.kernels.data())];
  });
  return kernels;
}

bool has_barriers_of_its_own(const Workload& workload) {
  const std::vector<const Kernel*> launched = own_launched_kernels(workload);
  return std::any_of(launched.begin(), launched.end(), [](const Kernel* kernel) {
    const Program& program = kernel->program;
    return has_step<Barrier>(program) || has_step<GridBarrier>(program) || has_step<Wait>(program);
  });
}

Int128 exchange_time(const Workload& workload, const std::vector<CoreTimeUse>& time_use) {
  const std::vector<bool> are_of_collectives = kernels_of_collectives(workload);
  Int128 sum = 0;
  if (are_of_collectives.empty()) return sum;
  for (const CoreTimeUse& core_use : time_use)
    if (are_of_collectives[index_of(core_use.kernel)]) sum += core_use.use.spent_on(Activity::barrier);
  return sum;
}

}  // namespace gdsim
