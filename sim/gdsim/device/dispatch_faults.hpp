#pragma once

#include <gdsim/device/device_faults.hpp>

#include <vector>

namespace gdsim {

/// Everything for which the timing and the order of `rules` make no sense on `device`; fields begin at the rules:
/// `interval.dispatchers`.
std::vector<DeviceFault> dispatch_faults(const DeviceSpec& device, const DispatchRules& rules);

/// Why a time of dispatch cannot be used on the device; nothing if it can.
std::optional<std::string> dispatch_time_fault(const DeviceSpec& device, const StepTime& time);

}  // namespace gdsim
