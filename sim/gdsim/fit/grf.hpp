#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/kernel.hpp>

#include <cstdint>
#include <string>

namespace gdsim {

/// Number of general registers (GRFs) of a context of Intel's devices, of 32 or 64 B each. All belong to its thread,
/// even if it uses fewer.
inline constexpr std::uint32_t kGrfsOfContext = 128;

/// Returns the GRFs of a thread of this kernel on a device with `grf_per_context`: those of all contexts that it takes.
std::uint64_t grfs_of_thread(const Kernel& kernel, const DeviceSpec& device);

/// Returns why a thread with this many registers is refused: `a thread uses 200 GRFs, arc-a770 gives it 128; ...`.
std::string grf_refusal(const Kernel& kernel, const DeviceSpec& device);

}  // namespace gdsim
