#pragma once

#include <gdsim/workload/kernel.hpp>
#include <gdsim/workload/launch.hpp>

#include <vector>

namespace gdsim {

/// Everything that is to be run on a device.
struct Workload {
  std::vector<Kernel> kernels;
  std::vector<Launch> launches;

  const Kernel& kernel_of(const Launch& launch) const { return kernels[index_of(launch.kernel)]; }
};

}  // namespace gdsim
