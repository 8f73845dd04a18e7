#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/kernel.hpp>

namespace gdsim {

/// Estimates a thread's time for a program of the kernel, in picoseconds: the sum of its steps, with memory at the
/// thread's part of the slowest level's bandwidth while all contexts use it. The estimate serves to order work-groups
/// and is no prediction.
double estimated_length(const Program& program, const Kernel& kernel, const DeviceSpec& device);

}  // namespace gdsim
