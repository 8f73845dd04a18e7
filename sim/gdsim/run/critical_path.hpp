#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/record/run_record.hpp>
#include <gdsim/workload/launch_graph.hpp>

namespace gdsim {

/// Fills the slack of every launch and the critical path of a completed run, by the critical path method: each launch
/// lasts from its being ready to its end, as it did. A child that its parent waits for has its parent's slack.
void find_critical_path(const DeviceSpec& device, const Workload& workload, const LaunchGraph& graph,
                        RunRecord& record);

}  // namespace gdsim
