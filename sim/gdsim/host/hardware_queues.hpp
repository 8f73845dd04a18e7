#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/launch_graph.hpp>
#include <gdsim/workload/workload.hpp>

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

namespace gdsim {

/// Returns the hardware queues of the workload, none if the device has none, so that launches start in any order.
HardwareQueues hardware_queues_of(const Workload& workload, const DeviceSpec& device, const DispatchRules& rules);

}  // namespace gdsim
