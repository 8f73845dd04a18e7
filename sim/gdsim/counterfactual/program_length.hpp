#pragma once

#include <gdsim/base/quantity.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/scenario/scenario.hpp>
#include <gdsim/workload/kernel.hpp>

#include <optional>

namespace gdsim {

/// Returns the program of an average work-group, for a kernel whose work-groups have programs of their own
/// (differs_by_group()): the same steps, with the mean of their amounts. A loop has the mean of the counts, rounded up,
/// and the amounts in its body are reduced accordingly; an amount is rounded, and at least 1.
Program mean_program(const Kernel& kernel);

/// Estimates a thread's time for a program of the kernel, in picoseconds: the sum of its steps, with memory at the
/// thread's part of the slowest level's bandwidth while all contexts use it. The estimate serves to order work-groups
/// and is no prediction.
double estimated_length(const Program& program, const Kernel& kernel, const DeviceSpec& device);

/// Returns a lower bound of the duration of a run, whatever limits are lifted. The work of all launches on the busiest
/// pipe, or on the issue slots, is divided over all engines of the device, which are never idle, at its clocks from
/// time 0 on, or at its highest clock if the first launch comes later. The bound leaves out children, kernels with
/// smaller work-groups at their edges, and kernels with declared factors, which may be below 1. Returns nullopt if the
/// device has no clock, if no launch has such a step, or if the result leaves 64 bits.
std::optional<Duration> arithmetic_floor(const Scenario& scenario);

}  // namespace gdsim
