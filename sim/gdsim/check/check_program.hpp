#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/kernel.hpp>

#include <cstddef>
#include <string>

namespace gdsim {

/// Returns the message for a kind of arithmetic that the device lacks. It lists the device's kinds, if there are any.
std::string unknown_kind(const std::string& kind, const DeviceSpec& device);

/// Returns why a ProgramPlan cannot be made, or why its threads would never end. Neither the kernel's range nor the
/// device may have an issue.
Issues check_program(const Kernel& kernel, std::size_t index, const DeviceSpec& device);

}  // namespace gdsim
