#pragma once

#include <gdsim/device/device_spec.hpp>

#include <string>

namespace gdsim::fuzz {

/// The device called `id` of the few models that lie beside the fuzzers. Throws InputError, which no target expects, if
/// it cannot be read.
DeviceSpec small_device(const std::string& id);

}  // namespace gdsim::fuzz
