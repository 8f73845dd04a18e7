#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstddef>

namespace gdsim {

/// Returns why the clusters of a launch could never be placed although they fit on the device: the rules and the
/// launch's own cores leave too few cores together. The device must refuse none of the kernels.
Issues check_clusters(const Workload& workload, std::size_t launch, const DeviceSpec& device,
                      const DispatchRules& rules);

/// Returns the problems with one launch, or with one queue, on this device, independently of the others.
Issues check_launch(const Workload& workload, std::size_t index, const DeviceSpec& device, const DispatchRules& rules);
Issues check_queue(const Workload& workload, std::size_t index, const DeviceSpec& device, const DispatchRules& rules);

}  // namespace gdsim
