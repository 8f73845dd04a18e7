#pragma once

#include <gdsim/workload/kernel.hpp>
#include <gdsim/workload/launch.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// Whether launches of a queue run one after another, or wait only for those they depend on.
enum class QueueOrder : std::uint8_t { in_order, out_of_order };

/// A queue as a program makes one. By default it is out of order, as SYCL's are.
struct Queue {
  std::string name;
  QueueOrder order = QueueOrder::out_of_order;
  CoreSelection cores;         ///< of its launches: a sub-device
  std::uint32_t priority = 0;  ///< of its launches that give none
};

/// Everything that is to be run on a device. A value: any number of threads may read one.
///
///     gdsim::Workload two{{gdsim::Kernel{}}, {{"first", gdsim::KernelId{0}, {}}, {"second", gdsim::KernelId{0}, {}}}};
///     two.queues = {{"q", gdsim::QueueOrder::in_order, {}}};
///     for (gdsim::Launch& launch : two.launches) launch.queue = gdsim::QueueId{0};
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
