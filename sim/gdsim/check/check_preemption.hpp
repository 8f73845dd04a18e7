#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/launch_graph.hpp>

namespace gdsim {

/// Returns the problems with the rules of preemption on the device.
Issues check_preemption(const DeviceSpec& device, const DispatchRules& rules);

/// Returns the parts of the workload that cannot be preempted under the rules, which must have passed
/// check_preemption(): processes that wait for each other, or that share things of which each needs one. `graph` must
/// be the workload's.
Issues check_processes(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload,
                       const LaunchGraph& graph);

}  // namespace gdsim
