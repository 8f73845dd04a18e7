#include <gdsim/model/steps/grids.hpp>

#include <algorithm>

namespace gdsim {

Grids::Grids(const Workload& workload, const LaunchGraph& graph) : workload_(workload), graph_(graph) {
  const auto has_steps = [](const Kernel& kernel) {
    return has_step<GridBarrier>(kernel.program) || has_step<Trigger>(kernel.program);
  };
  const auto& kernels = workload.kernels;
  if (std::any_of(kernels.begin(), kernels.end(), has_steps) || graph.trigger_waiters.size() > 0)
    grids_.resize(workload.launches.size());
}

}  // namespace gdsim
