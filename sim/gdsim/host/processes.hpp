#pragma once

#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gdsim {

/// The processes that have the whole device in turn.
///
/// With `time_sliced`, the launches of each queue are one process, in the order of the queues in the file; launches in
/// no queue are one more, the last. With `priority`, the launches of each priority are one process, the highest first.
/// Children belong to the process of their parent. A queue without a launch is no process.
struct Processes {
  std::vector<std::string> names;          ///< `time_sliced`: of the queue, or `no queue`; `priority`: `priority 2`
  std::vector<std::uint32_t> of_launches;  ///< by launch

  std::size_t count() const { return names.size(); }
  std::uint32_t of(LaunchId launch) const { return of_launches[index_of(launch)]; }
};

/// The maximum number of processes of a run: each has a model of the whole device.
inline constexpr std::size_t kMaxProcesses = 64;

Processes processes_of(const Workload& workload, const DispatchRules& rules);

}  // namespace gdsim
