#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/device_spec.hpp>

#include <optional>
#include <string>

namespace gdsim {

/// Everything for which the timing and the order of `rules` make no sense on `device`. Paths begin with `dispatch`.
Issues check_timing(const DeviceSpec& device, const DispatchRules& rules);

/// Everything in the rules of a run that the device cannot obey: what a scenario may still override in a device's own.
Issues check_rules_in_force(const DeviceSpec& device, const DispatchRules& rules);

/// Why a time of dispatch cannot be used on the device; nothing if it can.
std::optional<std::string> dispatch_time_fault(const DeviceSpec& device, const StepTime& time);

}  // namespace gdsim
