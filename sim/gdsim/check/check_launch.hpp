#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstddef>

namespace gdsim {

/// Returns the problems with one launch, or with one queue, on this device, independently of the others.
Issues check_launch(const Workload& workload, std::size_t index, const DeviceSpec& device, const DispatchRules& rules);
Issues check_queue(const Workload& workload, std::size_t index, const DeviceSpec& device, const DispatchRules& rules);

}  // namespace gdsim
