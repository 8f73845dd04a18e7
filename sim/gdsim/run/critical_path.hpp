#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/host/host_costs.hpp>
#include <gdsim/record/run_record.hpp>
#include <gdsim/workload/launch_graph.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace gdsim {

/// Launches that end together after the last of them has joined: the parts of a collective.
struct JointEnd {
  std::vector<LaunchId> launches;
  LaunchId last{};  ///< the first of those that joined last
  SimTime joined;   ///< when all threads of that one were resident, so that their exchange could begin
  SimTime ended;    ///< the first end of them
};

/// The launches of a completed run that end together.
class JointEnds {
 public:
  /// Each launch is in one group at most.
  JointEnds(const RunRecord& record, std::span<const std::vector<LaunchId>> groups);

  std::span<const JointEnd> all() const { return ends_; }
  /// Returns the group's number in all(); kAlone: the launch ends alone.
  std::uint32_t number_of(LaunchId launch) const { return ends_.empty() ? kAlone : numbers_[index_of(launch)]; }
  /// Returns null if the launch ends alone.
  const JointEnd* end_of(LaunchId launch) const {
    const std::uint32_t number = number_of(launch);
    return number == kAlone ? nullptr : &ends_[number];
  }
  /// Returns the time at which all threads of a part of a collective were resident.
  static SimTime joined_at(const RunRecord& record, LaunchId launch) {
    return *record.launches[index_of(launch)].fully_dispatched;
  }
  /// Returns the same milestones, each after those that it waits for, with the ends of a group next to each other,
  /// after all that any of them waits for. They are in the order of time: an exchange ends after all its parts have
  /// joined.
  std::vector<Milestone> order(const std::vector<Milestone>& milestones, const RunRecord& record) const;

  static constexpr std::uint32_t kAlone = 0xffff'ffff;

 private:
  std::vector<JointEnd> ends_;
  std::vector<std::uint32_t> numbers_;  ///< by launch; empty: all end alone
};

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
  Duration host_cost(LaunchId id) const { return host_costs_.cost_of(id); }
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

/// Walks from a launch to the one that decided when it was ready.
class BackwardPath {
 public:
  /// The run must outlive this.
  explicit BackwardPath(const CompletedRun& run);

  /// The launch that decided when this one was ready: by its end, its trigger or its begin in their hardware queue, or
  /// because the host waited for it before submitting this one or one before it; nothing if none did.
  std::optional<LaunchId> launch_before(LaunchId launch) const;

 private:
  /// When the predecessor no longer kept `launch` from being ready.
  SimTime freed_by(const Dependency& dependency, LaunchId launch) const;
  std::optional<LaunchId> along_the_host(LaunchId launch) const;
  /// When the host had submitted the launch; it may have been sent later, in a batch.
  SimTime submission_of(LaunchId launch) const {
    return *run_.record_of(launch).submitted - run_.record.batched_for(launch);
  }
  /// The launch whose submission decided when this one was sent: the last of their batch if the batch was full or the
  /// host paused, else the first.
  LaunchId sent_by(LaunchId launch) const;

  const CompletedRun& run_;
  std::vector<std::size_t> places_;  ///< by launch: where it stands in the order of the host; empty without batches
};

/// The latest times at which milestones could have occurred without a later end of the run. Goes back from that end.
class LatestTimes {
 public:
  /// The run must outlive this.
  explicit LatestTimes(const CompletedRun& run);

  /// How much later the whole launch could have run.
  Duration slack_of(LaunchId launch) const;

 private:
  /// Every milestone comes after those it waits for, and ends that are joint after all that any of them waits for.
  void propagate(const std::vector<Milestone>& order);
  /// Launches that end together all have the least slack of them; they stand together in the order.
  void join(std::uint32_t number, std::vector<bool>& are_joined);
  void propagate_from_end(LaunchId id);
  void propagate_from_readiness(LaunchId id, SimTime ready);
  /// Called only where the host waits for launches: then the host's order is part of the graph.
  void propagate_from_submission(LaunchId id);
  /// How much later it could have ended.
  Duration spare_of_end(LaunchId id) const { return ended_[index_of(id)] - *run_.record_of(id).ended; }
  /// How long it waited for those with which it ends.
  Duration spare_of(LaunchId id) const;

  const CompletedRun& run_;
  std::vector<SimTime> submitted_;
  std::vector<SimTime> ready_;  ///< empty if the graph has no begins
  std::vector<SimTime> ended_;
  bool have_begins_;  ///< `graph.order` has them
};

/// Fills the slack of every launch and the critical path of a completed run, by the critical path method: a launch's
/// duration is the recorded time from its readiness to its end. A child that its parent waits for has its parent's
/// slack. If processes had the device one at a time, the graph lists their launches process by process. A launch that
/// ends together with others could begin no later than the last of them; the path goes through that last one.
void find_critical_path(const DeviceSpec& device, const Workload& workload, const LaunchGraph& graph, RunRecord& record,
                        const LaunchesOfDevices& devices = {});

}  // namespace gdsim
