#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/launch_graph.hpp>

namespace gdsim {

/// Problems with the rules of preemption on the device.
Issues check_preemption(const DeviceSpec& device, const DispatchRules& rules);

/// The parts of the workload that cannot be preempted under the rules, which check_preemption() has passed: processes
/// that wait for each other, or that share what each process must have of its own. The graph is that of the workload.
Issues check_processes(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload,
                       const LaunchGraph& graph);

}  // namespace gdsim
