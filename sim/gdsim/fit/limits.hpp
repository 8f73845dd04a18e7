#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/fit/footprint.hpp>
#include <gdsim/workload/kernel.hpp>

namespace gdsim {

/// Returns the limits of full work-groups of `kernel` on a core of `device`. A need above its own maximum (registers of
/// a work-item, SLM of a work-group, ...) gives 0.
ResourceLimits limits_of(const Kernel& kernel, const DeviceSpec& device);

}  // namespace gdsim
