#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/core_resources.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/kernel.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// Whether the device accepts the kernel and can hold a work-group of it.
enum class FitStatus : std::uint8_t {
  ok,
  refused,       ///< the device rejects such a launch: too large a work-group, an uneven range, ...
  does_not_fit,  ///< not even one work-group could be resident
};

/// The waves of a launch if all its work-groups take equally long.
struct WaveCount {
  std::uint64_t work_groups = 0;
  std::uint64_t per_wave = 0;  ///< work-groups resident on the whole device at once
  std::uint64_t full_waves = 0;
  std::uint64_t tail = 0;  ///< work-groups left over after the full waves
};

/// The occupancy that the vendor's own tool prints: percent, or threads per engine.
struct VendorValue {
  VendorOccupancy definition{};
  Ratio value;
};

/// The number of work-groups of a kernel that are resident on a core at once, and what limits it. A value type: any
/// number of threads may read one.
struct Occupancy {
  FitStatus status{};
  /// Why the device rejects the launch or holds none of it. Paths are kernel fields or `local`. Codes are stable.
  Issues refusals;
  std::uint64_t threads_per_work_group = 0;
  std::uint64_t work_groups_per_core = 0;  ///< 0 unless the status is `ok`
  std::uint64_t threads_per_core = 0;
  Ratio percent;                                 ///< of the core's contexts
  ResourceLimits limits;                         ///< work-groups per core, by resource
  std::vector<Resource> limiters;                ///< every resource that allows no more
  std::optional<std::uint64_t> active_clusters;  ///< on the whole device at once; nullopt for a kernel without clusters
  std::optional<WaveCount> waves;                ///< if the global size is known and something fits
  std::optional<VendorValue> vendor_value;       ///< nullopt if that tool prints `percent`, or nothing
  std::optional<std::uint64_t> allocated_registers;  ///< per work-group; nullopt on a device without register files
  Bytes allocated_slm;                               ///< per work-group, rounded, with reserve
};

/// Selects the kernel's global size, or any number of work-groups.
enum class GlobalSize : std::uint8_t { given, any };

/// Returns the occupancy of full work-groups of `kernel` on `device`, by the dispatcher's rules of placement: the
/// result of the vendors' calculators. The kernel needs no program.
///
/// Throws InputError with all issues if values are invalid for the computation, such as a `sub_group` of 0. A launch
/// that the device refuses is no error; the status reports it. Thread-safe.
///
///     gdsim::Kernel kernel;
///     kernel.range.local = {1, 1, 256};
///     kernel.sub_group = device.sub_group_sizes.front();
///     kernel.needs.registers = 40;                      // per work-item
///     kernel.needs.slm.total = gdsim::Bytes{48 * 1024};  // per work-group
///     const gdsim::Occupancy occupancy = gdsim::occupancy_of(kernel, device);
///     std::cout << occupancy.work_groups_per_core << " per core: " << gdsim::to_fixed(occupancy.percent, 1) << " %\n";
///     for (const gdsim::Resource limiter : occupancy.limiters) std::cout << gdsim::name_of(limiter) << '\n';
Occupancy occupancy_of(const Kernel& kernel, const DeviceSpec& device, GlobalSize global = GlobalSize::any);

}  // namespace gdsim
