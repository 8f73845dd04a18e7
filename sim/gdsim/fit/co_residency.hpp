#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstdint>

namespace gdsim {

/// The most full work-groups that a launch of the kernel may have if all of them shall be resident at once on these
/// cores of an empty device; empty: on all. Clusters are whole, and a partition deals each group of cores its share.
std::uint64_t max_co_resident(const Kernel& kernel, const DeviceSpec& device, const DispatchRules& rules,
                              const CoreSelection& cores);

}  // namespace gdsim
