#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/program.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

// Rule, to the picosecond: written sectors.
//
// A memory step that states which sectors it writes (`written`) asks the fastest level that all cores share, if that is
// not the last, for the device's `written_sector` for each of them. A thread asks this level for that amount, in
// proportion to its step's bytes, if that is more than the level's part of these bytes. Parts, and so latencies, do not
// change.
//
// With `written_sector: {merged: false}`, sectors that are written in part go on to the last level by themselves: the
// step asks the last level for 32 bytes for each of them, at most one for each work-item of a sub-group, if that is
// more than the last level's part of its bytes. Further ones are taken to complete what the thread wrote just before.

namespace gdsim {

/// Returns the fastest level that all cores share; nullopt: there is none. Thread-safe.
std::optional<std::size_t> fastest_shared_level(const MemoryRule& memory);

/// Returns the cost of a `fence` on the device after the thread's loads: the latency of the fastest memory level that
/// all cores share; nullopt: the model has none.
std::optional<StepTime> fence_latency(const DeviceSpec& device);

/// Returns the level that counts written sectors; nullopt: none does. Thread-safe.
std::optional<std::size_t> level_of_written_sectors(const MemoryRule& memory);

/// Returns true if written sectors make a difference on this device. Thread-safe.
bool counts_written_sectors(const DeviceSpec& device);

/// Returns the bytes that count for the sectors that this step writes on this device; 0: none counts. Thread-safe.
std::int64_t written_bytes(const Memory& step, const DeviceSpec& device);

/// Returns the bytes of sectors that go to the last level by themselves, because no cache merges them, if a thread of
/// `sub_group` work-items executes the step. Thread-safe.
std::int64_t unmerged_bytes(const Memory& step, const DeviceSpec& device, std::uint32_t sub_group);

}  // namespace gdsim
