#include <gdsim/dispatch/launch_progress.hpp>

namespace gdsim {

LaunchProgress::LaunchProgress(const Workload& workload, const FootprintTable& footprints)
    : workload_(workload), footprints_(footprints) {
  states_.reserve(workload.launches.size());
  for (const Launch& launch : workload.launches) {
    State& state = states_.emplace_back();
    if (launch.is_copy()) continue;
    const KernelId kernel = launch.as_kernel().kernel;
    state.total = workload.kernels[index_of(kernel)].range.group_count();
    state.full = &footprints.full(kernel);
    state.has_edges = footprints.has_edges(kernel);
  }
}

}  // namespace gdsim
