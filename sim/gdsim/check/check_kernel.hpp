#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/kernel.hpp>

#include <cstddef>

namespace gdsim {

/// The parts of a kernel whose values are known, besides its range.
struct KnownParts {
  bool needs = true;
  bool program = true;
};

/// Returns the problems with one kernel, independently of the others. `index` is its position in the workload. Without
/// a device, only the range is checked. The device may have no issue.
Issues check_kernel(const Kernel& kernel, std::size_t index, const DeviceSpec* device, KnownParts known = {});

}  // namespace gdsim
