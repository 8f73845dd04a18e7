#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>

namespace gdsim {

/// Reads the value of a device's `clock`: a frequency, or frequencies by the time from which they apply.
void read_clock(const YamlNode& node, DeviceSpec& device, const ValueReader& values);

}  // namespace gdsim
