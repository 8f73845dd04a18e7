#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/device_spec.hpp>

namespace gdsim {

/// Returns why the clock of a device cannot follow its power. Paths begin with the device's field.
Issues check_power(const DeviceSpec& device);

}  // namespace gdsim
