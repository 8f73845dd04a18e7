#pragma once

#include <gdsim/base/copying/bound.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/host/host_costs.hpp>
#include <gdsim/model/events.hpp>
#include <gdsim/record/launch_record.hpp>
#include <gdsim/workload/host_order.hpp>
#include <gdsim/workload/launch_graph.hpp>

#include <span>
#include <utility>
#include <vector>

namespace gdsim {

/// Determines when launches become ready. The host submits them one after the other, alone or in batches; they reach
/// the device after the launch latency and wait there for their predecessors. Schedules their arrivals and records
/// `submitted`, `ready` and waits.
class Arrivals {
 public:
  /// The graph has no cycle. All references must outlive this.
  Arrivals(const DeviceSpec& device, const Workload& workload, const LaunchGraph& graph, GpuQueue& queue,
           std::vector<LaunchRecord>& records);

  /// A work-group launches its child now.
  void submit_child(LaunchId child);
  /// The launch arrives now.
  void arrived(LaunchId launch);
  /// Returns since when the device can prepare an arrived launch: it knows of the launch, and the last of the launch's
  /// predecessors has begun.
  SimTime prepared_since(LaunchId launch) const;
  /// The launch begins now: the next one in its hardware queue may be ready.
  void begins(LaunchId launch);
  /// All work-groups of the launch have triggered now.
  void triggered(LaunchId launch);
  /// The launch has ended now. Returns the launches that waited for its trigger and whose other predecessors of this
  /// kind have ended before; valid until the next call.
  std::span<const LaunchId> ended(LaunchId launch);
  /// Returns true if all launches for whose triggers this one waited have ended.
  bool have_dependencies_ended(LaunchId launch) const {
    return running_dependencies_.empty() || running_dependencies_[index_of(launch)] == 0;
  }
  /// Returns when the launch triggered. It must have triggered.
  SimTime triggered_at(LaunchId launch) const { return *triggered_[index_of(launch)]; }
  bool has_triggered(LaunchId launch) const { return triggered_[index_of(launch)].has_value(); }
  /// Returns the trigger times by launch; empty if none waits for a trigger. Must be called after the run.
  std::vector<OptionalTime> take_triggered() { return std::move(triggered_); }
  /// Returns each launch's time in a batch after its submission; empty without batches. Must be called after the run.
  std::vector<Duration> take_batched() { return std::move(batched_); }
  /// The launch, for whose trigger none waits, begins at `begun` and ends at `end`. Returns a time before which no
  /// launch becomes ready because of that.
  SimTime next_ready_behind(LaunchId launch, SimTime begun, SimTime end) const;

 private:
  struct State {
    std::uint32_t predecessors_left = 0;
    std::uint32_t host_waits_left = 0;
  };

  void submit_what_can_be();
  void submit(LaunchId launch);
  /// The host has submitted the launch: it waits for others to be sent with it, unless it completes their batch.
  void put_into_batch(LaunchId launch);
  void send_batch(SimTime sent);
  /// The launch is on its way to the device from then on.
  void send(LaunchId launch, SimTime sent);
  /// The time before which the host does not submit the launch.
  SimTime wanted_by_host(LaunchId launch) const;
  void schedule_if_free(LaunchId launch);
  /// One of the launch's predecessors no longer keeps it from being ready.
  void drop_predecessor(LaunchId launch);
  Duration gap_behind(LaunchId before, LaunchId launch) const;
  /// Returns when the launch would be ready if no other preceded it in its hardware queue.
  SimTime ready_without_queue(LaunchId launch) const;

  Bound<const DeviceSpec> device_;
  Bound<const Workload> workload_;
  Bound<const LaunchGraph> graph_;
  Bound<GpuQueue> queue_;
  Bound<std::vector<LaunchRecord>> records_;
  HostCosts host_costs_;
  FirstNodes first_nodes_;
  std::vector<State> states_;        ///< by launch
  std::size_t next_submission_ = 0;  ///< in the order of the host
  SimTime host_free_;
  std::vector<std::pair<LaunchId, SimTime>>
      batch_;                               ///< scratch: with the ends of their submissions; sent before time advances
  std::uint32_t submissions_in_batch_ = 0;  ///< scratch: a graph counts as one
  std::vector<Duration> batched_;           ///< by launch; empty without batches
  std::vector<std::vector<LaunchId>>
      host_waiters_;              ///< by launch: the launches that the host submits after it; empty if there are none
  std::vector<LaunchId> opened_;  ///< scratch
  /// By launch: how many for whose triggers it waited have not ended; empty without any.
  std::vector<std::uint32_t> running_dependencies_;
  std::vector<OptionalTime> triggered_;  ///< by launch; empty if none is awaited
};

}  // namespace gdsim
