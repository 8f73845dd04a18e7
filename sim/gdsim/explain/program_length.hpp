#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/kernel.hpp>

namespace gdsim {

/// Estimates how long a thread needs for a program of the kernel, in picoseconds: the sum of its steps, with memory at
/// the thread's part of the slowest level's bandwidth while all contexts use it. It serves to order work-groups and is
/// no prediction.
double estimated_length(const Program& program, const Kernel& kernel, const DeviceSpec& device);

}  // namespace gdsim
