#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/workload/launch_graph.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gdsim {

/// Returns the duration of a copy on a copy engine, rounded once to a picosecond, halves up, or nullopt if it exceeds
/// 64 bits. The bandwidth must be above 0.
std::optional<Duration> duration_of(const Copy& copy, const CopyRule& rule);

// Rule, to the picosecond: graphs, and what a launch costs the host.
//
// The host submits launches one after the other, each in `submit_overhead`. Launches of a queue with `graph: true` are
// nodes of one graph, which the host submits as a whole: when it reaches the first of them, all others follow before
// anything else, and only the first costs it `submit_overhead`. Between nodes of one graph, `graph.dependency_gap`
// takes the place of `dependency_gap`, where the device has it. The first launch of a kernel in the order of the host
// costs it the `jit` of that kernel on top. Children cost the host nothing. Each process that is preempted has a host
// of its own.
//
// With `submission`, launches are kept in a batch after their submission, and sent to the device together: once there
// are `batch` of them (a graph counts as one), before the host waits for a launch, after the last launch of all, and
// `flush` after the first of them was submitted. A launch whose submission ends at that instant is sent with them. They
// count as submitted when they are sent.
//
// With `first: at_once`, a launch (of a graph: the whole graph) is sent without waiting for others if the host knows
// that the device is idle. It knows that for the first launch of all, and for a launch with `wait:` if each launch that
// the host submitted before it is one that it waits for, or ended before the last one that it waits for.

/// The time for which the host is busy with each launch.
class HostCosts {
 public:
  /// All references must outlive this. `hosts`: by launch, the number of its host, from 0 on; empty: one host.
  HostCosts(const DeviceSpec& device, const Workload& workload, const LaunchGraph& graph,
            std::span<const std::uint32_t> hosts = {});

  Duration cost_of(LaunchId launch) const { return costs_.empty() ? submit_overhead_ : costs_[index_of(launch)]; }

 private:
  Duration submit_overhead_;
  std::vector<Duration> costs_;  ///< by launch; empty if all cost the same
};

/// Returns the time between the end of `before` and the readiness of `after`, which waits for `before`.
Duration dependency_gap(const DeviceSpec& device, const Workload& workload, LaunchId before, LaunchId after);

/// Assigns launches to processes. One process at a time has the whole device.
///
/// With `time_sliced`, the launches of each queue are one process, in the order of the queues in the file; launches in
/// no queue are one more, the last. With `priority`, the launches of each priority are one process, the highest first.
/// Children belong to the process of their parent. A queue without a launch is no process.
struct ProcessAssignment {
  std::vector<std::string> names;          ///< `time_sliced`: of the queue, or `no queue`; `priority`: `priority 2`
  std::vector<std::uint32_t> of_launches;  ///< by launch

  std::size_t count() const { return names.size(); }
  std::uint32_t process_of(LaunchId launch) const { return of_launches[index_of(launch)]; }
};

/// The maximum number of processes of a run: each has a model of the whole device.
inline constexpr std::size_t kMaxProcesses = 64;

ProcessAssignment assign_processes(const Workload& workload, const DispatchRules& rules);

// Rule, to the picosecond: hardware queues.
//
// A queue of the workload is mapped to the hardware queue that it names (`hardware:`), else queue number i, counted
// from 0 in the order of the file over all queues, is mapped to number i mod `count`; without a count each queue has
// its own. Each part of the device has a set of hardware queues of its own: launches that are restricted to other cores
// are in another hardware queue, even if it has the same number. Under preemption, each process has such a set, too.
//
// Launches of kernels start in their hardware queue one after the other, in the order in which the host submits them.
// In this order, a launch counts as submitted no earlier than any launch that it waits for, so that it never starts
// before that one. A launch is ready once it has been submitted and has arrived, all that it waits for has happened,
// and the launch before it in its hardware queue has begun (`in_order`), or ended (`after_end`); in the latter case
// `dependency_gap` lies between them, as if it waited for that one. Where it waits for the trigger of the launch before
// it, the hardware queue adds nothing (`after_end`). The time by which the last condition delays it is the wait
// `hardware_queue`. Copies and children are in no hardware queue. Launches of kernels in no queue of the workload are
// in the only hardware queue if `count` is 1 and they have no `priority` of their own, else in none.

/// Returns the hardware queues of the workload. If the device has none, the result is empty, and launches start in any
/// order.
HardwareQueues hardware_queues_of(const Workload& workload, const DeviceSpec& device, const DispatchRules& rules);

}  // namespace gdsim
