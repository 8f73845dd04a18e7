#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/model/events.hpp>
#include <gdsim/record/launch_record.hpp>
#include <gdsim/workload/launch_graph.hpp>

#include <vector>

namespace gdsim {

/// When launches become ready: the host submits them one after the other, they reach the device after the launch
/// latency, and wait there for their predecessors. Schedules their arrivals and keeps `submitted`, `ready` and waits.
class Arrivals {
 public:
  /// The graph has no cycle. All references must outlive this.
  Arrivals(const DeviceSpec& device, const Workload& workload, const LaunchGraph& graph, GpuQueue& queue,
           std::vector<LaunchRecord>& records);

  /// A work-group launches its child now.
  void submit_child(LaunchId child);
  /// The launch arrives now.
  void arrived(LaunchId launch);
  /// Since when the device can prepare a launch that has arrived: since it knows of the launch, and the last of those
  /// that it depends on has begun.
  SimTime prepared_since(LaunchId launch) const;
  /// The launch has ended now.
  void ended(LaunchId launch);
  /// If the launch ends at `end`, no launch becomes ready because of that before the time that is returned.
  SimTime next_ready_behind(LaunchId launch, SimTime end) const;

 private:
  struct State {
    std::uint32_t predecessors_left = 0;
    std::uint32_t host_waits_left = 0;
  };

  /// When the last launch of a list ended: all have.
  template <class List, class LaunchOf>
  SimTime last_end(const List& list, LaunchOf launch_of) const;
  void submit_what_can_be();
  void submit(LaunchId launch);
  void schedule_if_free(LaunchId launch);

  const DeviceSpec& device_;
  const Workload& workload_;
  const LaunchGraph& graph_;
  GpuQueue& queue_;
  std::vector<LaunchRecord>& records_;
  std::vector<State> states_;        ///< by launch
  std::size_t next_submission_ = 0;  ///< in the order of the host
  SimTime host_free_;
  std::vector<std::vector<LaunchId>>
      host_waiters_;  ///< by launch: those that the host submits after it; empty without any
};

}  // namespace gdsim
