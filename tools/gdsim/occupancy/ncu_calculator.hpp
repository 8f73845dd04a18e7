#pragma once

#include <gdsim/occupancy/occupancy.hpp>

#include <string>

namespace gdsim::cli {

/// Throws UsageError unless the device is one of NVIDIA, whose calculator knows no other.
void require_ncu_device(const DeviceSpec& device);

/// The tables of the occupancy calculator of Nsight Compute, in its words: the limits of the device.
std::string ncu_device_text(const DeviceSpec& device);
/// The kernel's inputs, its occupancy, what a block is given, and what each resource allows. `name` may be empty.
std::string ncu_kernel_text(const std::string& name, const Kernel& kernel, const DeviceSpec& device,
                            const Occupancy& occupancy);

}  // namespace gdsim::cli
