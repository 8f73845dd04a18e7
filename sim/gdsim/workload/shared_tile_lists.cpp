#include <gdsim/workload/shared_tile_lists.hpp>

#include <gdsim/workload/launched_kernels.hpp>

namespace gdsim {

std::set<std::string> shared_tile_lists(const Workload& workload) {
  std::set<std::string> seen;
  std::set<std::string> shared;
  for (const Kernel* kernel : launched_kernels(workload))  // each list is once in a kernel's program
    for (const Step& step : kernel->program)
      if (const auto* tiles = std::get_if<Tiles>(&step))
        if (!seen.insert(tiles->list).second) shared.insert(tiles->list);
  return shared;
}

}  // namespace gdsim
