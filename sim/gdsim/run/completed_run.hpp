#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/host/host_costs.hpp>
#include <gdsim/record/run_record.hpp>
#include <gdsim/run/joint_ends.hpp>
#include <gdsim/workload/launch_graph.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace gdsim {

/// Facts about several devices that ran together, for the critical path of one of them.
struct LaunchesOfDevices {
  std::vector<const DeviceSpec*> device_of{};  ///< by launch; empty: all launches are of one device
  /// Groups of launches that end together, after the last of them has begun: the parts of a collective.
  std::vector<std::vector<LaunchId>> together{};
};

/// The dependencies between launches of a completed run, for walks from its end to its beginning.
class CompletedRun {
 public:
  /// All must outlive this. Slacks and critical path of the record are not read.
  CompletedRun(const DeviceSpec& device, const Workload& workload, const LaunchGraph& launch_graph,
               const RunRecord& run_record, const LaunchesOfDevices& devices);

  std::size_t launch_count() const { return workload_.launches.size(); }
  const Launch& launch_at(LaunchId id) const { return workload_.launches[index_of(id)]; }
  const LaunchRecord& record_of(LaunchId id) const { return record.launches[index_of(id)]; }
  const DeviceSpec& device_of(LaunchId id) const {
    return devices_.device_of.empty() ? device_ : *devices_.device_of[index_of(id)];
  }
  bool are_of_one_host(LaunchId a, LaunchId b) const {
    return hosts_.empty() || hosts_[index_of(a)] == hosts_[index_of(b)];
  }
  /// The launch that its host submits just before it.
  std::optional<LaunchId> submitted_before(LaunchId id) const { return submitted_before_[index_of(id)]; }
  /// How long its host is busy with the launch.
  Duration host_cost(LaunchId id) const { return host_costs_.of(id); }
  /// The time between the end of `before` and the readiness of `after`, which waits for it.
  Duration gap(LaunchId before, LaunchId after) const {
    return dependency_gap(device_of(after), workload_, before, after);
  }
  /// When all threads of a launch that ends together with others were resident.
  SimTime joined_at(LaunchId id) const { return JointEnds::joined_at(record, id); }

  const LaunchGraph& graph;
  const RunRecord& record;
  const JointEnds joint;

 private:
  std::vector<std::optional<LaunchId>> predecessors_on_host() const;

  const DeviceSpec& device_;
  const Workload& workload_;
  const LaunchesOfDevices& devices_;
  std::span<const std::uint32_t> hosts_;  ///< by launch; empty: there is one
  std::vector<std::optional<LaunchId>> submitted_before_;
  HostCosts host_costs_;
};

}  // namespace gdsim
