#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/record/run_record.hpp>
#include <gdsim/workload/launch_graph.hpp>

#include <vector>

namespace gdsim {

/// What several devices that ran together add to the launches of one of them.
struct LaunchesOfDevices {
  std::vector<const DeviceSpec*> device_of{};  ///< by launch; empty: all are of one
  /// Launches that end together, once the last of them has begun: parts of a collective.
  std::vector<std::vector<LaunchId>> together{};
};

/// Fills the slack of every launch and the critical path of a completed run, by the critical path method: each launch
/// lasts from its being ready to its end, as it did. A child that its parent waits for has its parent's slack.
/// Of processes that had the device in turn, the graph has the launches of one behind those of another.
/// Launches that end together could each begin later only as far as the last of them; the path goes through that one.
void find_critical_path(const DeviceSpec& device, const Workload& workload, const LaunchGraph& graph, RunRecord& record,
                        const LaunchesOfDevices& devices = {});

}  // namespace gdsim
