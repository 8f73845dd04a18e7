#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/launch_graph.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace gdsim {

/// Returns the duration of a copy on an engine, rounded once to a picosecond, halves up, or nullopt if it exceeds 64
/// bits. The bandwidth must be above 0.
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

/// The time for which the host is busy with each launch.
class HostCosts {
 public:
  /// All references must outlive this. `hosts`: by launch, the number of its host, from 0 on; empty: one host.
  HostCosts(const DeviceSpec& device, const Workload& workload, const LaunchGraph& graph,
            std::span<const std::uint32_t> hosts = {});

  Duration of(LaunchId launch) const { return costs_.empty() ? submit_overhead_ : costs_[index_of(launch)]; }

 private:
  Duration submit_overhead_;
  std::vector<Duration> costs_;  ///< by launch; empty if all cost the same
};

/// Returns the time between the end of `before` and the readiness of `after`, which waits for `before`.
Duration dependency_gap(const DeviceSpec& device, const Workload& workload, LaunchId before, LaunchId after);

}  // namespace gdsim
