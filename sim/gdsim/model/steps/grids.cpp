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

void Grids::visit_state(StateVisitor& visitor, std::span<const LaunchId> present) {
  auto& [workload, graph, grids] = *this;
  visitor.constant(workload, graph);
  if (grids.empty()) return;
  for (const LaunchId launch : present) {
    auto& [at_barrier, triggered] = grids[index_of(launch)];
    visitor.plain(at_barrier);
    visitor.plain(triggered);
  }
}

}  // namespace gdsim
