#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/device_spec.hpp>

namespace gdsim {

/// Why the clock of a device cannot follow its power: paths begin with the device's field.
Issues check_power(const DeviceSpec& device);

}  // namespace gdsim
