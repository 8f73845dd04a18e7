#pragma once

#include <gdsim/device/device_spec.hpp>

#include <string>

namespace gdsim {

/// The message for a kind of arithmetic that the device does not know: the kinds that it has, or that it has none.
std::string unknown_kind(const std::string& kind, const DeviceSpec& device);

}  // namespace gdsim
