#pragma once

#include <gdsim/device/device_spec.hpp>

#include <string>

namespace gdsim {

/// Returns the message for a kind of arithmetic that the device lacks. It lists the device's kinds, if there are any.
std::string unknown_kind(const std::string& kind, const DeviceSpec& device);

}  // namespace gdsim
