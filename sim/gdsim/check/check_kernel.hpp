#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/kernel.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace gdsim {

/// Returns the problems with the coefficient of variation of a draw, each as the rest of a sentence: `is more than 10`.
/// Beyond these bounds, factors of 0 or less would have to be cut off, and the mean would not be 1.
std::vector<std::string> faults_of_cv(const Draw& draw);

/// The parts of a kernel whose values are known, besides its range.
struct KnownParts {
  bool needs = true;
  bool program = true;
};

/// Returns the problems with one kernel, independently of the others. `index` is its position in the workload. Without
/// a device, only the range is checked. The device may have no issue.
Issues check_kernel(const Kernel& kernel, std::size_t index, const DeviceSpec* device, KnownParts known = {});

}  // namespace gdsim
