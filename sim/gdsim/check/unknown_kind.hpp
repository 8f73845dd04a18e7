#pragma once

#include <gdsim/device/device_spec.hpp>

#include <string>

namespace gdsim {

/// What is said of a kind of arithmetic that the device does not know: which ones it has, or that it knows none.
std::string unknown_kind(const std::string& kind, const DeviceSpec& device);

}  // namespace gdsim
