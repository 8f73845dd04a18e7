#pragma once

#include <gdsim/run/completed_run.hpp>

namespace gdsim {

/// Fills the slack of every launch and the critical path of a completed run, by the critical path method: a launch's
/// duration is the recorded time from its readiness to its end. A child that its parent waits for has its parent's
/// slack. If processes had the device one at a time, the graph lists their launches process by process. A launch that
/// ends together with others could begin no later than the last of them; the path goes through that last one.
void find_critical_path(const DeviceSpec& device, const Workload& workload, const LaunchGraph& graph, RunRecord& record,
                        const LaunchesOfDevices& devices = {});

}  // namespace gdsim
