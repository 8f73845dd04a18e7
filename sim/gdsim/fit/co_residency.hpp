#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstdint>

namespace gdsim {

/// Returns the maximum number of full work-groups of a launch of the kernel that can all be resident at once on these
/// cores of an empty device; without `cores`, on all. Clusters are whole, and a partition deals each group of cores its
/// share.
std::uint64_t max_co_resident(const Kernel& kernel, const DeviceSpec& device, const DispatchRules& rules,
                              const CoreSelection& cores);

}  // namespace gdsim
