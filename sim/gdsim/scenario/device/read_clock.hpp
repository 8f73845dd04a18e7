#pragma once

#include <gdsim/device/core_resources.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>

#include <optional>

namespace gdsim {

/// Reads `power: {limit: 350 W, idle: 60 W, period: 1 ms, per_busy_context: {1.755 GHz: 75 mW, 1.095 GHz: 40 mW}}`, or
/// `none`, which removes a base's rule.
void read_power(const YamlNode& node, std::optional<PowerRule>& power, const ValueReader& values);

/// Reads the value of a device's `clock`: a frequency, or frequencies by the time from which they apply.
void read_clock(const YamlNode& node, DeviceSpec& device, const ValueReader& values);

}  // namespace gdsim
