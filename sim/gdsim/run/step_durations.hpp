#pragma once

#include <gdsim/base/quantity.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/kernel.hpp>

#include <span>
#include <vector>

namespace gdsim {

/// How long each step of one kernel takes, by work-group: computed exactly and rounded once, before the run.
class StepDurations {
 public:
  /// Every duration exists: preflight() found no fault with the kernel.
  StepDurations(const Kernel& kernel, const DeviceSpec& device);

  /// By step, of this work-group; 0 for steps that take no time of their own.
  std::span<const Picoseconds> of(WorkGroupId group) const;

 private:
  const Kernel& kernel_;
  std::vector<Picoseconds> rows_;  ///< the row of factor 1, then one row per entry of kernel.factors
};

/// The clock by which cycles of `device` are counted; 0 Hz if it has none.
Hertz clock_of(const DeviceSpec& device);

}  // namespace gdsim
