#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/import/profiles/profile.hpp>
#include <gdsim/workload/kernel.hpp>

#include <cstdint>

namespace gdsim {

/// Returns the kernel of this launch, without a program. `sub_group` is the number of work-items per thread for
/// launches without one.
Kernel shape_kernel(const ProfiledLaunch& launch, std::uint32_t sub_group);

/// The work-items per thread of a device that the profile does not describe: the device's only size. If it has several
/// sizes, 32 is assumed, or 16 for Intel's devices.
std::uint32_t usual_sub_group(const DeviceSpec& device);

}  // namespace gdsim
