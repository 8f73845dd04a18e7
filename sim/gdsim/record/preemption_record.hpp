#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// What a process does with the device, or waits for.
enum class DeviceUse : std::uint8_t {
  running,    ///< it has the device
  draining,   ///< its work-groups run to their end, and none begins any more
  saving,     ///< its contexts are saved
  restoring,  ///< its contexts are restored
  waiting     ///< it has something to run, but not the device
};

inline constexpr std::size_t kDeviceUseCount = 5;

/// As in files: `running`, `draining`, `saving`, `restoring`, `waiting`. Thread-safe.
std::string_view name_of(DeviceUse use);

/// From `begin` to `end`, the device was in this use of the process.
struct DeviceSpan {
  SimTime begin;
  SimTime end;
  std::uint32_t process = 0;
  DeviceUse use{};
  std::uint64_t work_groups = 0;  ///< that are saved or restored, or resident when draining begins; else 0
  Bytes bytes;                    ///< of contexts that are moved
};

/// What one process had of the device.
struct ProcessRecord {
  std::string name;                              ///< of its queue, `no queue`, or `priority 2`
  std::array<Duration, kDeviceUseCount> used{};  ///< by DeviceUse; together, the time in which it had something to run
  std::uint64_t preemptions = 0;                 ///< how often it lost the device with something left to run
  std::uint64_t saved = 0;                       ///< work-groups, each time
  Bytes bytes_saved;
  Bytes bytes_restored;

  Duration of(DeviceUse use) const { return used[static_cast<std::size_t>(use)]; }
};

/// Which process had the device when, in a run of processes that have it in turn.
///
///     if (result.record.preemption)
///       for (const gdsim::ProcessRecord& one : result.record.preemption->processes)
///         std::cout << one.name << " waited " << gdsim::to_text(one.of(gdsim::DeviceUse::waiting)) << '\n';
struct PreemptionRecord {
  std::vector<ProcessRecord> processes;
  std::vector<std::uint32_t> process_of;  ///< by launch
  std::vector<DeviceSpan> spans;          ///< by time; none of `waiting`, none where nothing was to run
};

}  // namespace gdsim
