#pragma once

#include <cstddef>
#include <cstdint>

namespace gdsim {

// Ids are positions, counted from 0. Each kind has its own type, so that ids of different kinds cannot be confused:
//
//     const gdsim::LaunchRecord& last = result.record.launches[index_of(gdsim::LaunchId{1})];

/// Position of a core in the device, 0-based (Xe-core, SM, CU).
enum class CoreId : std::uint32_t {};
/// Position of a device among those of one run, in the order of the file.
enum class DeviceId : std::uint32_t {};
/// Position of a kernel in the workload, in file order.
enum class KernelId : std::uint32_t {};
/// Position of a launch in the workload, in file order.
enum class LaunchId : std::uint32_t {};
/// Position of a queue in the workload, in file order.
enum class QueueId : std::uint32_t {};
/// A buffer of the workload, numbered by first use.
enum class BufferId : std::uint32_t {};
/// Number of a work-group within its launch, in row-major order: the last dimension varies fastest.
enum class WorkGroupId : std::uint64_t {};

/// Returns an id as a position in a vector. Thread-safe, as are all functions below.
constexpr std::size_t index_of(CoreId id) { return static_cast<std::size_t>(id); }
constexpr std::size_t index_of(DeviceId id) { return static_cast<std::size_t>(id); }
constexpr std::size_t index_of(KernelId id) { return static_cast<std::size_t>(id); }
constexpr std::size_t index_of(LaunchId id) { return static_cast<std::size_t>(id); }
constexpr std::size_t index_of(QueueId id) { return static_cast<std::size_t>(id); }
constexpr std::size_t index_of(BufferId id) { return static_cast<std::size_t>(id); }
constexpr std::uint32_t number_of(DeviceId id) { return static_cast<std::uint32_t>(id); }
constexpr std::uint64_t number_of(WorkGroupId id) { return static_cast<std::uint64_t>(id); }

}  // namespace gdsim
