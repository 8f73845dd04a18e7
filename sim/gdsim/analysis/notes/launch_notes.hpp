#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/record/run_record.hpp>
#include <gdsim/workload/workload.hpp>

#include <optional>
#include <string>

namespace gdsim {

/// The launches from the device that CUDA keeps by default while they have not begun: CUDA C++ Programming Guide, CUDA
/// Dynamic Parallelism, `cudaLimitDevRuntimePendingLaunchCount`.
inline constexpr std::uint64_t kPendingLaunchesOfCuda = 2'048;

/// Returns the note that a launch waited for cores to drain, because their SLM was set to another pool, or nullopt if
/// none did.
std::optional<std::string> slm_pool_note(const DeviceSpec& device, const Workload& workload, const RunRecord& record);

/// Returns the note that more launches from a device of NVIDIA were pending at once than CUDA keeps by default, or
/// nullopt if there were not.
std::optional<std::string> pending_launches_note(const DeviceSpec& device, const Workload& workload,
                                                 const RunRecord& record);

}  // namespace gdsim
