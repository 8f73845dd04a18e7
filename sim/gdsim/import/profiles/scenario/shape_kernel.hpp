#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/import/profiles/profile.hpp>
#include <gdsim/workload/kernel.hpp>

#include <cstdint>

namespace gdsim {

/// The kernel of which this is a launch, without a program. `sub_group`: work-items per thread where the launch does
/// not say.
Kernel shape_kernel(const ProfiledLaunch& launch, std::uint32_t sub_group);

/// Work-items per thread on a device of which a profile says nothing: the only size that it has; 32, or 16 of Intel's,
/// where there are several, which is assumed.
std::uint32_t usual_sub_group(const DeviceSpec& device);

}  // namespace gdsim
