#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/device_spec.hpp>

namespace gdsim {

/// Everything for which nothing can be run on `device`. Paths begin with `device`.
Issues check_device(const DeviceSpec& device);

}  // namespace gdsim
