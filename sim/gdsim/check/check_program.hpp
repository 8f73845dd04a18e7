#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/kernel.hpp>

#include <cstddef>

namespace gdsim {

/// Reasons why a ProgramPlan cannot be made, or why its threads would never end. The kernel's range has no issue, nor
/// has the device.
Issues check_program(const Kernel& kernel, std::size_t index, const DeviceSpec& device);

}  // namespace gdsim
