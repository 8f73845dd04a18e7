#pragma once

#include <gdsim/occupancy/next_step.hpp>
#include <gdsim/occupancy/occupancy.hpp>

#include <cstdint>
#include <string>

namespace gdsim::cli {

/// Whether the request includes the largest cooperative launch.
enum class AskedCooperative : std::uint8_t { no, yes };

/// The answer for a person: every limit, which of them apply, the occupancy of a core and the device, and the next
/// step.
std::string occupancy_text(const Kernel& kernel, const DeviceSpec& device, const Occupancy& occupancy,
                           AskedCooperative cooperative);

/// The answer for a program.
std::string occupancy_json(const Kernel& kernel, const DeviceSpec& device, const Occupancy& occupancy,
                           AskedCooperative cooperative);

/// Throws UsageError unless the device is one of NVIDIA, whose calculator knows no other.
void require_ncu_device(const DeviceSpec& device);

/// The tables of the occupancy calculator of Nsight Compute, in its words: the limits of the device.
std::string ncu_device_text(const DeviceSpec& device);
/// The kernel's inputs, its occupancy, what a block is given, and what each resource allows. `name` may be empty.
std::string ncu_kernel_text(const std::string& name, const Kernel& kernel, const DeviceSpec& device,
                            const Occupancy& occupancy);

}  // namespace gdsim::cli
