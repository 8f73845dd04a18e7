#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/fit/limits.hpp>
#include <gdsim/fit/refusal.hpp>
#include <gdsim/workload/kernel.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// What becomes of a kernel on a device.
enum class FitStatus : std::uint8_t {
  ok,
  refused,       ///< the device rejects such a launch: too large a work-group, an uneven range, ...
  does_not_fit,  ///< not even one work-group could be resident
};

/// How the work-groups of a launch go over the device if all last equally long.
struct WaveCount {
  std::uint64_t work_groups = 0;
  std::uint64_t per_wave = 0;  ///< work-groups resident on the whole device at once
  std::uint64_t full_waves = 0;
  std::uint64_t tail = 0;  ///< work-groups left over after the full waves
};

/// What the vendor's own tool prints under the name of occupancy: percent, or threads per engine.
struct VendorValue {
  VendorOccupancy definition{};
  Ratio value;
};

/// How many work-groups of a kernel are resident on a core at once, and why not more.
struct Occupancy {
  FitStatus status{};
  std::vector<Refusal> refusals;  ///< why the device rejects the launch or holds none of it
  std::uint64_t threads_per_work_group = 0;
  std::uint64_t work_groups_per_core = 0;
  std::uint64_t threads_per_core = 0;
  Ratio percent;  ///< of the core's contexts
  ResourceLimits limits;
  std::vector<Resource> limiters;                ///< every resource that allows no more
  std::optional<std::uint64_t> active_clusters;  ///< on the whole device at once; nothing of a kernel without clusters
  std::optional<WaveCount> waves;                ///< if the global size is known and something fits
  std::optional<VendorValue> vendor_value;
  std::optional<std::uint64_t> allocated_registers;  ///< per work-group; nothing on a device without register files
  Bytes allocated_slm;                               ///< per work-group, rounded, with reserve
};

/// Whether the kernel's global size is meant, or stands for any number of work-groups.
enum class GlobalSize : std::uint8_t { given, any };

/// The occupancy of full work-groups of `kernel` on `device`, by the rules by which the dispatcher places them.
Occupancy occupancy_of(const Kernel& kernel, const DeviceSpec& device, GlobalSize global);

}  // namespace gdsim
