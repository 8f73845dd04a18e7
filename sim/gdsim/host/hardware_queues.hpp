#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstdint>
#include <vector>

// Rule, to the picosecond: hardware queues.
//
// A queue of the workload is mapped to the hardware queue that it names (`hardware:`), else queue number i, counted
// from 0 in the order of the file over all queues, is mapped to number i mod `count`; without a count each queue has
// its own. Launches of kernels that are in a queue start in their hardware queue one after the other, in the order in
// which the host submits them. A launch never starts before one that it waits for: it counts as submitted no earlier
// than that one. A launch is ready once it has been submitted and has arrived, all that it waits for has happened, and
// the launch before it in its hardware queue has begun. The time by which the last condition delays it is the wait
// `hardware_queue`. Copies, children, and launches without a queue are in none.

namespace gdsim {

/// Returns the hardware queue of each queue. Empty if the device has none, so that launches start in any order.
std::vector<std::uint32_t> hardware_queues_of(const Workload& workload, const DeviceSpec& device);

}  // namespace gdsim
