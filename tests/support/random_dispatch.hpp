#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/workload.hpp>

namespace gdsim::testing {

// Drawn by rapidcheck for dispatching without a model around it: only the needs of work-groups matter. Must be called
// inside a property.

/// Draws a small device with its rules of dispatch.
DeviceSpec any_device();
/// Draws five launches of three kernels.
Workload any_workload();

}  // namespace gdsim::testing
