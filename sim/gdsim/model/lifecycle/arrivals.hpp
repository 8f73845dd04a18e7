#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/host/host_costs.hpp>
#include <gdsim/model/events.hpp>
#include <gdsim/record/launch_record.hpp>
#include <gdsim/workload/launch_graph.hpp>
#include <gdsim/workload/launch_order.hpp>

#include <span>
#include <utility>
#include <vector>

namespace gdsim {

/// Determines when launches become ready. The host submits them one after the other, singly or in batches; they reach
/// the device after the launch latency and wait there for their predecessors. Schedules arrivals and records
/// `submitted`, `ready` and waits.
class Arrivals {
 public:
  /// The graph must not have a cycle. All references must outlive this.
  Arrivals(const DeviceSpec& device, const Workload& workload, const LaunchGraph& graph, GpuQueue& queue,
           std::vector<LaunchRecord>& records);

  /// Submits a child that a work-group launches now.
  void submit_child(LaunchId child);
  /// Must be called when the launch arrives.
  void on_arrived(LaunchId launch);
  /// Returns the time from which the device can prepare an arrived launch: the launch has reached the device, and the
  /// last of its predecessors has begun.
  SimTime prepared_since(LaunchId launch) const;
  /// Must be called when the launch begins: the next one in its hardware queue may become ready.
  void on_begun(LaunchId launch);
  /// Must be called when all work-groups of the launch have triggered.
  void on_triggered(LaunchId launch);
  /// Must be called when the launch has ended. Returns the launches that waited for its trigger and whose other
  /// predecessors of this kind have ended; valid until the next call.
  std::span<const LaunchId> on_ended(LaunchId launch);
  /// Returns true if all launches for whose triggers this one waited have ended.
  bool have_dependencies_ended(LaunchId launch) const {
    return running_dependencies_.empty() || running_dependencies_[index_of(launch)] == 0;
  }
  /// Returns the time at which the launch triggered. It must have triggered.
  SimTime triggered_at(LaunchId launch) const { return *triggered_[index_of(launch)]; }
  bool has_triggered(LaunchId launch) const { return triggered_[index_of(launch)].has_value(); }
  /// Returns the trigger times by launch; empty if no launch waits for a trigger. Must be called after the run.
  std::vector<OptionalTime> take_triggered() { return std::move(triggered_); }
  /// Returns each launch's time in a batch after its submission; empty without batches. Must be called after the run.
  std::vector<Duration> take_batched() { return std::move(batched_); }

 private:
  struct State {
    std::uint32_t predecessors_left = 0;
    std::uint32_t host_waits_left = 0;
  };

  void submit_what_can_be();
  void submit(LaunchId launch);
  /// Adds a launch that the host has submitted to its batch. Sends the batch if it is complete.
  void put_into_batch(LaunchId launch);
  void send_batch(SimTime sent);
  /// Returns true if the host knows, when it begins to submit the next launch, that all before it have ended.
  bool knows_idle_device(LaunchId next) const;
  /// Sends the launch to the device at `sent`.
  void send(LaunchId launch, SimTime sent);
  /// Returns the time before which the host does not submit the launch.
  SimTime wanted_by_host(LaunchId launch) const;
  void schedule_if_free(LaunchId launch);
  void count_end(LaunchId launch);
  /// Removes one of the predecessors for which the launch waits.
  void drop_predecessor(LaunchId launch);
  Duration gap_behind(LaunchId before, LaunchId launch) const;
  enum class HardwareQueue : std::uint8_t { counts, ignored };
  /// Returns the time at which the launch is ready behind its predecessors, or would be if none preceded it in its
  /// hardware queue.
  SimTime ready_behind(LaunchId launch, HardwareQueue queue) const;

  const DeviceSpec& device_;
  const Workload& workload_;
  const LaunchGraph& graph_;
  GpuQueue& queue_;
  std::vector<LaunchRecord>& records_;
  HostCosts host_costs_;
  FirstNodes first_nodes_;
  std::vector<State> states_;        ///< by launch
  std::size_t next_submission_ = 0;  ///< position in the order of the host
  SimTime host_free_;
  std::vector<std::pair<LaunchId, SimTime>>
      batch_;                               ///< launches with the ends of their submissions; sent before time advances
  std::uint32_t submissions_in_batch_ = 0;  ///< a graph counts as one
  bool goes_at_once_ = false;               ///< the first submission of the batch does not wait for others
  /// The launches of the host that ended: before the last such instant, and at it.
  std::size_t ended_before_ = 0;
  std::size_t ended_last_ = 0;
  SimTime last_end_;
  std::vector<Duration> batched_;  ///< by launch; empty without batches
  std::vector<std::vector<LaunchId>>
      host_waiters_;              ///< by launch: the launches that the host submits after it; empty if there are none
  std::vector<LaunchId> opened_;  ///< the result of on_ended()
  /// By launch: the number of launches for whose triggers it waited and that have not ended; empty without triggers.
  std::vector<std::uint32_t> running_dependencies_;
  std::vector<OptionalTime> triggered_;  ///< by launch; empty if no launch waits for a trigger
};

}  // namespace gdsim
