#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/kernel.hpp>

#include <cstdint>
#include <optional>

// Rule, to the picosecond: saved contexts.
//
// Saving the contexts of a process takes max over cores(its work-groups on the core) x `per_work_group`, rounded once,
// and then (bytes / bandwidth), rounded once: the bytes of all its work-groups at the bandwidth of the last level of
// the memory, over all its scopes. `bytes: context` is, for each work-group, 4 B x the 32-bit registers that its
// threads hold, rounded as the device allocates them (scalar ones, too), or the bytes of their GRFs, and the SLM that
// it occupies. Threads that have ended and hold their contexts count. Restoring takes the same, with the values of
// `restore`.

namespace gdsim {

/// Returns the registers of one thread of the kernel, in bytes; nullopt if the device or the kernel does not state
/// them.
std::optional<Bytes> register_bytes(const Kernel& kernel, const DeviceSpec& device);

/// Returns the bytes per second of the last level of the memory, all its scopes together; nullopt: not known, or not
/// limited.
std::optional<BytesPerSecond> bandwidth_for_contexts(const DeviceSpec& device);

/// The contexts that are saved or restored at once.
struct ContextsMoved {
  std::uint64_t work_groups = 0;
  std::uint32_t most_on_core = 0;  ///< work-groups
  Bytes bytes;                     ///< of their contexts, which a ContextMove of `context` moves
};

/// Returns the number of moved bytes. Throws TimeOverflowError if it exceeds 64 bits.
Bytes bytes_moved(const ContextMove& move, const ContextsMoved& contexts);
/// Returns the duration of the move. The rule must have passed check_preemption(). Throws TimeOverflowError.
Duration time_to_move(const ContextMove& move, const ContextsMoved& contexts, const DeviceSpec& device);

}  // namespace gdsim
