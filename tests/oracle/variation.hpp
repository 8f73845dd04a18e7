#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstdint>

// How much a step asks of one thread: what its kernel says, times the factor of its work-group or its own.

namespace gdsim::oracle {

/// Who executes a step.
struct Who {
  std::size_t launch = 0;
  std::uint64_t work_group = 0;
  std::uint32_t thread = 0;
};

/// Picoseconds of a time times the factor. A factor that was written down multiplies the exact time, and the product is
/// rounded once, halves up. A drawn one, in billionths, multiplies whole picoseconds; the product is at least 1.
std::int64_t varied_time(const DeviceSpec& device, const Workload& workload, const Who& who, const StepTime& time);
/// Bytes times the factor, likewise.
std::int64_t varied_bytes(const Workload& workload, const Who& who, std::int64_t bytes);

}  // namespace gdsim::oracle
