#pragma once

#include <gdsim/workload/kernel.hpp>
#include <gdsim/workload/launch.hpp>
#include <gdsim/workload/queue.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// Everything that is to be run on a device.
struct Workload {
  std::vector<Kernel> kernels;
  std::vector<Launch> launches;
  std::vector<Queue> queues{};
  std::vector<std::string> buffers{};  ///< their names

  /// A copy runs a kernel without name and without work-groups.
  const Kernel& kernel_of(const Launch& launch) const {
    return launch.is_copy() ? no_kernel() : kernels[index_of(launch.as_kernel().kernel)];
  }

 private:
  static const Kernel& no_kernel();
};

}  // namespace gdsim
