#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/workload.hpp>

namespace gdsim::testing {

// Drawn by rapidcheck for a dispatcher by itself, of whose work-groups only the needs matter. Must be called inside a
// property.

/// Draws a small device with its rules of dispatch.
DeviceSpec any_device();
/// Draws five launches of three kernels.
Workload any_workload();

}  // namespace gdsim::testing
