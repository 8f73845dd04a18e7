#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/workload/launch_graph.hpp>
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

// Rule, to the picosecond: hardware queues.
//
// A queue of the workload is mapped to the hardware queue that it names (`hardware:`), else queue number i, counted
// from 0 in the order of the file over all queues, is mapped to number i mod `count`; without a count each queue has
// its own. Each part of the device has these hardware queues for itself: launches that are restricted to other cores
// are in other ones of the same number. So has each process under preemption.
//
// Launches of kernels that are in a queue start in their hardware queue one after the other, in the order in which the
// host submits them. A launch never starts before one that it waits for: it counts as submitted no earlier than that
// one. A launch is ready once it has been submitted and has arrived, all that it waits for has happened, and the launch
// before it in its hardware queue has begun (`in_order`), or ended (`after_end`); in the latter case
// `dependency_gap` lies between them, as if it waited for that one. Where it waits for the trigger of the launch before
// it, the hardware queue adds nothing (`after_end`). The time by which the last condition delays it is the wait
// `hardware_queue`. Copies, children, and launches without a queue are in none.

/// Returns the hardware queues of the workload, none if the device has none, so that launches start in any order.
HardwareQueues hardware_queues_of(const Workload& workload, const DeviceSpec& device, const DispatchRules& rules);

}  // namespace gdsim
