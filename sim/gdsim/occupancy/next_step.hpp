#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/occupancy/occupancy.hpp>
#include <gdsim/workload/kernel.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// One value of a kernel that must be lowered.
struct ResourceReduction {
  Resource resource{};
  std::uint64_t from = 0;  ///< threads: work-items; slm: bytes; registers: per work-item; else counts
  std::uint64_t to = 0;    ///< the largest value that is low enough
};

/// The smallest change that lets at least one more work-group fit on a core.
struct NextStep {
  std::vector<ResourceReduction> changes;  ///< all are needed together; empty: impossible
  std::optional<Resource> fixed_limit;     ///< the limit that no change of the kernel can relieve
  std::uint64_t work_groups = 0;           ///< the number that fits after the changes
};

NextStep next_step(const Kernel& kernel, const DeviceSpec& device);

/// Returns what the vendor's tool would print, or nullopt if that has the same meaning as ours or the tool prints none.
std::optional<VendorValue> vendor_value(const Kernel& kernel, const DeviceSpec& device, const Occupancy& occupancy,
                                        GlobalSize global);

/// Describes the number in words, with its unit.
std::string describe(const VendorValue& value);

}  // namespace gdsim
