#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>

namespace gdsim {

/// The value of a device's `clock`: a frequency, or frequencies by the time from which on they are in force.
void read_clock(const YamlNode& node, DeviceSpec& device, const ValueReader& values);

}  // namespace gdsim
