#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/import/profiles/profile.hpp>
#include <gdsim/workload/kernel.hpp>

#include <set>
#include <string>
#include <vector>

namespace gdsim {

// Rule: figures of the driver.
//
// Newer exports of Nsight Systems hold two figures that the driver computed for a launch. They change nothing in the
// scenario; where the model says otherwise, a note has both.
//
// 1. maxActiveClusters, of a launch with clusters: how many are resident at once on the whole device. The model's
//    figure is that of `gdsim occupancy --cluster`.
// 2. sharedMemoryExecuted: the bytes of each core that the driver set aside as shared memory. They are one of the
//    model's `pools`, and as many work-groups fit in them as the model holds, which sets aside what these need. Bytes
//    in which not even one work-group fits cannot be what the launch ran with: drivers report such for some kernels.

/// The figures of the driver for launches of one shape; each set is empty if the file has none.
struct DriverFigures {
  std::set<std::uint32_t> active_clusters;
  std::set<std::uint32_t> slm_of_core;

  void add(const ProfiledLaunch& launch);
};

/// Returns a sentence, which continues `NAME: `, for each figure that the model of the kernel on the device
/// contradicts.
std::vector<std::string> driver_notes(const DriverFigures& figures, const Kernel& kernel, const DeviceSpec& device);

}  // namespace gdsim
