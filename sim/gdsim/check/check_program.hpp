#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/kernel.hpp>

#include <cstddef>

namespace gdsim {

/// Returns why a ProgramPlan cannot be made, or why its threads would never end. Neither the kernel's range nor the
/// device may have an issue.
Issues check_program(const Kernel& kernel, std::size_t index, const DeviceSpec& device);

}  // namespace gdsim
