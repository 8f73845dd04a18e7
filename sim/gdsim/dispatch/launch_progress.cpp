#include <gdsim/dispatch/launch_progress.hpp>

namespace gdsim {

LaunchProgress::LaunchProgress(const Workload& workload, const FootprintTable& footprints)
    : workload_(workload), footprints_(footprints), states_(workload.launches.size()) {
  for (const Kernel& kernel : workload.kernels) totals_.push_back(kernel.range.group_count());
  totals_.push_back(0);
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const Launch& launch = workload.launches[i];
    states_[i].kernel = launch.is_copy() ? static_cast<KernelId>(workload.kernels.size()) : launch.as_kernel().kernel;
  }
}

}  // namespace gdsim
