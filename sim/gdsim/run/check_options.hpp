#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/run/simulate.hpp>

namespace gdsim {

/// Finds what is wrong with the options of a run on this device. Paths are such as `options.observers[0]`.
Issues check_options(const RunOptions& options, const DeviceSpec& device);

}  // namespace gdsim
