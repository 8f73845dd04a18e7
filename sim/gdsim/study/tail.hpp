#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/kernel.hpp>

#include <cstdint>
#include <optional>

namespace gdsim {

/// The last, partial wave of a kernel that takes several.
struct Tail {
  std::uint64_t work_groups = 0;  ///< of the kernel
  std::uint64_t per_wave = 0;     ///< that fit on the device at once
  std::uint64_t left_over = 0;    ///< for the last wave
};

/// Nothing if the kernel has less than a wave, or whole waves only.
std::optional<Tail> tail_of(const Kernel& kernel, const DeviceSpec& device);

/// The kernel without its tail: what the work-groups of the tail would have done is spread evenly over the others.
/// Nothing if that cannot be said: work-groups of different sizes, or programs that launch children.
std::optional<Kernel> without_tail(const Kernel& kernel, const Tail& tail);

/// The kernel without the work-groups of its tail, and without their work.
Kernel without_work_groups_of_tail(const Kernel& kernel, const Tail& tail);

}  // namespace gdsim
