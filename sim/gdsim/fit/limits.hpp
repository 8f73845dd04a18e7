#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/fit/footprint.hpp>
#include <gdsim/workload/kernel.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace gdsim {

/// Number of general registers (GRFs) of a context of Intel's devices, of 32 or 64 B each. All belong to its thread,
/// even if it uses fewer.
inline constexpr std::uint32_t kGrfsOfContext = 128;

/// Returns the GRFs of a thread of this kernel on a device with `grf_per_context`: those of all contexts that it takes.
std::uint64_t grfs_of_thread(const Kernel& kernel, const DeviceSpec& device);

/// Returns why a thread with this many registers is refused: `a thread uses 200 GRFs, arc-a770 gives it 128; ...`.
std::string grf_refusal(const Kernel& kernel, const DeviceSpec& device);

/// Returns the limits of full work-groups of `kernel` on a core of `device`. A need above its own maximum (registers of
/// a work-item, SLM of a work-group, ...) gives 0.
ResourceLimits limits_of(const Kernel& kernel, const DeviceSpec& device);

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
