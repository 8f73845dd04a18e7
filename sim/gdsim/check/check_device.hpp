#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/device_spec.hpp>

namespace gdsim {

/// Returns all reasons why nothing can run on `device`. Paths begin with `device`.
Issues check_device(const DeviceSpec& device);

}  // namespace gdsim
