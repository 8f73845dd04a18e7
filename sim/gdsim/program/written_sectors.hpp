#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/program.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

// Rule, to the picosecond: written sectors.
//
// A memory step that says which sectors it writes (`written`) asks the fastest level that all cores share, if that is
// not the last, for `written_sector` of the device for each of them. Of this level, a thread asks for so much, in
// proportion to its step's bytes, if that is more than the level's part of these bytes. Parts, and so latencies, stay
// as they are.

namespace gdsim {

/// The fastest level that all cores share. Nothing: there is none. Thread-safe.
std::optional<std::size_t> fastest_shared_level(const MemoryRule& memory);

/// The level that counts written sectors. Nothing: none does. Thread-safe.
std::optional<std::size_t> level_of_written_sectors(const MemoryRule& memory);

/// Written sectors make a difference on this device. Thread-safe.
bool counts_written_sectors(const DeviceSpec& device);

/// What the sectors that this step writes count on this device; 0: none counts. Thread-safe.
std::int64_t written_bytes(const Memory& step, const DeviceSpec& device);

}  // namespace gdsim
