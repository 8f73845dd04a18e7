#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/kernel.hpp>

#include <cstddef>

namespace gdsim {

/// Returns the problems with one kernel, independently of the others. `index` is its position in the workload.
Issues check_range(const Kernel& kernel, std::size_t index);
/// Checks SLM, barriers, registers and sub-group of a work-group against the device. Neither the kernel's range nor the
/// device may have an issue.
Issues check_needs(const Kernel& kernel, std::size_t index, const DeviceSpec& device);
/// Checks declared factors and durations, and draws.
Issues check_variation(const Kernel& kernel, std::size_t index);

}  // namespace gdsim
