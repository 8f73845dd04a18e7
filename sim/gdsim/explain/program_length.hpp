#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/kernel.hpp>

namespace gdsim {

/// How long a thread needs for a program of the kernel, in picoseconds, estimated: each step by itself, and memory with
/// its part of the slowest level's bandwidth while all contexts use it. By this, work-groups can be put in order; it is
/// no prediction.
double estimated_length(const Program& program, const Kernel& kernel, const DeviceSpec& device);

}  // namespace gdsim
