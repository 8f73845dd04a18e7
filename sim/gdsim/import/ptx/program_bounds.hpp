#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/import/imported_program.hpp>
#include <gdsim/import/ptx/kernel_profile.hpp>

#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// A time below which no launch comes, because of one resource of the device; or about below which.
struct ProgramBound {
  std::string what;                 ///< `issue slots`, `fp32`, `L1 and shared memory`, `L2`, the last level's name
  double cycles = 0;                ///< of the device's clock; where that changes, bytes take those of the lowest
  std::optional<double> seconds{};  ///< of bytes, which follow no clock
  /// L1 is taken as empty for each work-group, and L2 as serving what a wave shares: others may need less. Or the
  /// device has no `l1`.
  bool is_estimate = false;
};

/// By what each resource does in all: the largest first. Resources of which the device says nothing are left out.
/// L1 and shared memory serve a line of 128 bytes, or one word of each bank, per core and cycle.
///
/// Source: NVIDIA Ampere GA102 GPU Architecture: L1 gives 128 bytes per clock and SM. ASSUMED for all from compute
/// capability 7.0 on, and that a line takes a cycle, however much of it is wanted.
std::vector<ProgramBound> bounds_of(const KernelProfile& profile, const DeviceSpec& device);

/// Of the bytes that leave L1, how many the last level of memory serves: each sector once for the followed wave.
double last_level_share(const KernelProfile& profile);

/// Comments for people: bounds, then every access with its line, requests, sectors and conflicts; and how the working
/// set of the program follows.
void add_diagnostics(const KernelProfile& profile, const DeviceSpec& device, ImportedProgram& program);

}  // namespace gdsim
