#pragma once

#include <gdsim/device/device_spec.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// Something that makes a device unusable, and the key at fault, e.g. `slm.sizes`.
struct DeviceFault {
  std::string field;
  std::string message;
};

/// Everything for which nothing can be run on `device`.
std::vector<DeviceFault> device_faults(const DeviceSpec& device);

}  // namespace gdsim
