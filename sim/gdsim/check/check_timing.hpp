#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/device_spec.hpp>

#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// Returns why the timing and the order of `rules` are invalid on `device`. Paths begin with `dispatch`.
Issues check_timing(const DeviceSpec& device, const DispatchRules& rules);

/// Returns all rules of a run that the device cannot obey. A scenario may still override the device's own ones.
Issues check_rules_in_force(const DeviceSpec& device, const DispatchRules& rules);

/// Returns why a time of a device cannot be used on it, or nullopt if it can.
std::optional<std::string> time_fault(const DeviceSpec& device, const StepTime& time);

/// Returns true if `cores` lists every core from 0 to `count` - 1 exactly once.
bool names_every_core(std::vector<CoreId> cores, std::uint32_t count);

}  // namespace gdsim
