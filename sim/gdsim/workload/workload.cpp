#include <gdsim/workload/workload.hpp>

namespace gdsim {

const Kernel& Workload::no_kernel() {
  static const Kernel kernel = [] {
    Kernel nothing;
    nothing.range.global = {0, 1, 1};
    nothing.sub_group = 1;
    return nothing;
  }();
  return kernel;
}

const CoreSelection& Workload::cores_of(const Launch& launch) const {
  static const CoreSelection all;
  if (!launch.is_kernel()) return all;
  const CoreSelection& own = launch.as_kernel().cores;
  const Queue* queue = queue_of(launch);
  return own.empty() && queue != nullptr ? queue->cores : own;
}

std::uint32_t Workload::priority_of(const Launch& launch) const {
  const Queue* queue = queue_of(launch);
  const std::uint32_t of_queue = queue != nullptr ? queue->priority : 0;
  return launch.is_kernel() ? launch.as_kernel().priority.value_or(of_queue) : of_queue;
}

}  // namespace gdsim
