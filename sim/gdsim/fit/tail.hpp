#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/kernel.hpp>

#include <cstdint>
#include <optional>

namespace gdsim {

/// Returns the number of work-groups of the kernel that fit on the device at once, clusters as wholes; 0 if none fits.
std::uint64_t work_groups_per_wave(const Kernel& kernel, const DeviceSpec& device);

/// The last, partial wave of a kernel that takes several.
struct Tail {
  std::uint64_t work_groups = 0;  ///< of the kernel
  std::uint64_t per_wave = 0;     ///< work-groups that fit on the device at once
  std::uint64_t left_over = 0;    ///< work-groups of the last wave

  /// Returns the number of waves of the kernel, the tail included.
  std::uint64_t waves() const { return work_groups / per_wave + 1; }
};

/// Returns nullopt if the kernel has less than a wave, or whole waves only.
std::optional<Tail> tail_of(const Kernel& kernel, const DeviceSpec& device);

}  // namespace gdsim
