#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/run/simulate.hpp>

namespace gdsim {

/// Finds the faults of a run's options on this device. Paths have the form `options.observers[0]`.
Issues check_options(const RunOptions& options, const DeviceSpec& device);

}  // namespace gdsim
