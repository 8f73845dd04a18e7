#include <gdsim/dispatch/launch_progress.hpp>

namespace gdsim {

LaunchProgress::LaunchProgress(const DeviceSpec& device, const Workload& workload)
    : device_(device), workload_(workload) {
  for (const Kernel& kernel : workload.kernels) {
    full_.push_back(make_footprint(kernel, device, static_cast<std::uint32_t>(kernel.threads_per_work_group())));
    has_edges_.push_back(kernel.edge_groups != EdgeGroups::refused && !kernel.range.is_uniform());
  }
  for (const Launch& launch : workload.launches)
    states_.push_back({0, workload.kernel_of(launch).range.group_count(), 0, launch.kernel});
}

const Kernel& LaunchProgress::kernel(LaunchId launch) const {
  return workload_.kernel_of(workload_.launches[index_of(launch)]);
}

const Footprint& LaunchProgress::edge_footprint(LaunchId launch, std::uint32_t threads) {
  const KernelId id = workload_.launches[index_of(launch)].kernel;
  const auto known = edges_.find({id, threads});
  if (known != edges_.end()) return known->second;
  return edges_.emplace(std::pair(id, threads), make_footprint(kernel(launch), device_, threads)).first->second;
}

}  // namespace gdsim
