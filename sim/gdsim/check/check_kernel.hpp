#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/kernel.hpp>

#include <cstddef>

namespace gdsim {

/// What is wrong with one kernel, whatever the others are like. `index` is its position in the workload.
Issues check_range(const Kernel& kernel, std::size_t index);
/// SLM, barriers, registers and sub-group of a work-group, against what the device has. The kernel's range has no
/// issue, nor has the device.
Issues check_needs(const Kernel& kernel, std::size_t index, const DeviceSpec& device);
/// Factors and durations that are written, and what is drawn.
Issues check_variation(const Kernel& kernel, std::size_t index);

}  // namespace gdsim
