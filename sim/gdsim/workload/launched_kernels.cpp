#include <gdsim/workload/launched_kernels.hpp>

#include <cstddef>

namespace gdsim {

std::vector<const Kernel*> launched_kernels(const Workload& workload) {
  std::vector<bool> is_launched(workload.kernels.size(), false);
  std::vector<KernelId> to_visit;
  const auto found = [&](KernelId kernel) {
    if (is_launched[index_of(kernel)]) return;
    is_launched[index_of(kernel)] = true;
    to_visit.push_back(kernel);
  };
  for (const Launch& launch : workload.launches)
    if (launch.is_kernel()) found(launch.as_kernel().kernel);
  while (!to_visit.empty()) {
    const Kernel& kernel = workload.kernels[index_of(to_visit.back())];
    to_visit.pop_back();
    for_each_step(kernel.program, [&](const Step& step) {
      if (const auto* child = std::get_if<LaunchChild>(&step)) found(child->kernel);
    });
  }
  std::vector<const Kernel*> kernels;
  for (std::size_t i = 0; i < is_launched.size(); ++i)
    if (is_launched[i]) kernels.push_back(&workload.kernels[i]);
  return kernels;
}

}  // namespace gdsim
