#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/launch_graph.hpp>

namespace gdsim {

/// What of the rules of preemption is wrong on the device.
Issues check_preemption(const DeviceSpec& device, const DispatchRules& rules);

/// What of the workload cannot be preempted under the rules, which check_preemption() has passed: processes that wait
/// for each other, or share what each has of its own. The graph is that of the workload.
Issues check_processes(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload,
                       const LaunchGraph& graph);

}  // namespace gdsim
