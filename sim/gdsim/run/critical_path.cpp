#include <gdsim/run/critical_path.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/fit/host_costs.hpp>
#include <gdsim/run/joint_ends.hpp>
#include <gdsim/workload/milestone_order.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>

namespace gdsim {
namespace {

/// By launch: its host; empty if there is only one. Each process that is preempted has a host.
std::span<const std::uint32_t> hosts_of(const RunRecord& record) {
  if (!record.preemption) return {};
  return record.preemption->process_of;
}

bool are_of_one_host(std::span<const std::uint32_t> hosts, LaunchId a, LaunchId b) {
  return hosts.empty() || hosts[index_of(a)] == hosts[index_of(b)];
}

/// By launch: the launch that its host submits just before it.
std::vector<std::optional<LaunchId>> predecessors_on_host(const std::vector<LaunchId>& order,
                                                          std::span<const std::uint32_t> hosts, std::size_t launches) {
  std::vector<std::optional<LaunchId>> before(launches);
  std::optional<LaunchId> last;
  for (const LaunchId id : order) {
    if (last && are_of_one_host(hosts, *last, id)) before[index_of(id)] = last;
    last = id;
  }
  return before;
}

/// The latest times at which milestones could have occurred without delaying the end of the run, found backwards from
/// that end.
class LatestTimes {
 public:
  LatestTimes(const DeviceSpec& device, const Workload& workload, const LaunchGraph& graph, const RunRecord& record,
              const LaunchesOfDevices& devices)
      : device_(device),
        devices_(devices),
        workload_(workload),
        graph_(graph),
        record_(record),
        submitted_(workload.launches.size(), record.end),
        ended_(workload.launches.size(), record.end),
        submitted_before_(predecessors_on_host(graph.host_order, hosts_of(record), workload.launches.size())),
        joint_(record, devices.together),
        have_begins_(Milestones(graph).have_begins()),
        host_costs_(device, workload, graph, hosts_of(record)) {
    if (have_begins_) ready_.resize(workload.launches.size(), record.end);
    propagate(joint_.all().empty() ? graph.order : joint_.order(graph.order, record));
    for (const JointEnd& end : joint_.all())
      for (const LaunchId id : end.launches)
        GDSIM_CHECK(spare_of_end(id) == spare_of_end(end.last), "launches that end together have one latest end");
  }

  /// Returns the longest delay of the whole launch that would not delay the end of the run.
  Duration slack_of(LaunchId launch) const {
    const std::size_t i = index_of(launch);
    const LaunchRecord& own = record_.launches[i];
    const Duration slack = ended_[i] - *own.ended + spare_of(launch);
    // If another launch starts after its begin or waits for its trigger, its begin may matter more than its end.
    const bool is_child = launch_at(launch).parent() != nullptr;
    return have_begins_ && !is_child ? std::min(slack, ready_[i] - *own.ready) : slack;
  }

 private:
  /// Propagates times backwards. In `order`, every milestone comes after those that it waits for, and joint ends after
  /// all that any of them waits for.
  void propagate(const std::vector<Milestone>& order) {
    std::uint32_t last = JointEnds::kAlone;
    std::vector<bool> are_joined(joint_.all().size(), false);
    for (auto milestone = order.rbegin(); milestone != order.rend(); ++milestone) {
      switch (milestone->kind) {
        case Milestone::Kind::ended:
          if (const std::uint32_t number = joint_.number_of(milestone->launch); number != last) {
            join(number, are_joined);
            last = number;
          }
          propagate_from_end(milestone->launch);
          break;
        case Milestone::Kind::begun:
          propagate_from_readiness(milestone->launch, ready_[index_of(milestone->launch)]);
          break;
        case Milestone::Kind::submitted: propagate_from_submission(milestone->launch); break;
      }
    }
  }

  /// Launches that end together all have the minimum of their slacks; they are adjacent in the order.
  void join(std::uint32_t number, std::vector<bool>& are_joined) {
    if (number == JointEnds::kAlone) return;
    GDSIM_CHECK(!are_joined[number], "launches that end together do not stand together");
    are_joined[number] = true;
    const JointEnd& end = joint_.all()[number];
    Duration least = spare_of_end(end.last);
    for (const LaunchId id : end.launches) least = std::min(least, spare_of_end(id));
    for (const LaunchId id : end.launches) ended_[index_of(id)] = *record_.launches[index_of(id)].ended + least;
  }

  /// Returns the longest delay of its end that would not delay the end of the run.
  Duration spare_of_end(LaunchId id) const { return ended_[index_of(id)] - *record_.launches[index_of(id)].ended; }

  /// Returns the time for which it waited for the launches with which it ends.
  Duration spare_of(LaunchId id) const {
    const JointEnd* end = joint_.of(id);
    return end == nullptr ? Duration{} : end->joined - JointEnds::joined_at(record_, id);
  }

  const DeviceSpec& device_of(LaunchId id) const {
    return devices_.device_of.empty() ? device_ : *devices_.device_of[index_of(id)];
  }

  static void lower(SimTime& time, SimTime to) { time = std::min(time, to); }

  const Launch& launch_at(LaunchId id) const { return workload_.launches[index_of(id)]; }

  void propagate_from_end(LaunchId id) {
    const std::size_t i = index_of(id);
    const LaunchRecord& own = record_.launches[i];
    if (const LaunchParent* parent = launch_at(id).parent()) {
      const std::size_t p = index_of(parent->launch);
      lower(ended_[i],
            parent->wait == ChildWait::yes ? *own.ended + (ended_[p] - *record_.launches[p].ended) : ended_[p]);
      return;
    }
    const SimTime ready = ended_[i] - (*own.ended - *own.ready) + spare_of(id);
    if (!have_begins_) return propagate_from_readiness(id, ready);
    lower(ready_[i], ready);  // propagation goes on when its begin is visited
    for (const Dependency& dependency : graph_.predecessors[i])
      if (dependency.until == Until::triggered)
        lower(ended_[index_of(dependency.before)],
              ended_[i] - (*own.ended - *record_.launches[index_of(dependency.before)].ended));
  }

  void propagate_from_readiness(LaunchId id, SimTime ready) {
    const std::size_t i = index_of(id);
    if (launch_at(id).parent() != nullptr) return;
    for (const Dependency& dependency : graph_.predecessors[i]) {
      const std::size_t before = index_of(dependency.before);
      if (dependency.until == Until::triggered) {
        lower(ready_[before], ready - (*record_.triggered[before] - *record_.launches[before].ready));
      } else {
        lower(ended_[before], ready - dependency_gap(device_of(id), workload_, dependency.before, id));
      }
    }
    if (const auto before = graph_.starts.before_of(id)) {
      const LaunchRecord& other = record_.launches[index_of(*before)];
      lower(ready_[index_of(*before)], ready - (*other.begun - *other.ready));
    }
    lower(submitted_[i], ready - device_of(id).launch_latency);
  }

  /// Must be called only if the host waits for launches: then the host's order is part of the graph.
  void propagate_from_submission(LaunchId id) {
    const std::size_t i = index_of(id);
    const SimTime begun = submitted_[i] - record_.batched_for(id) - host_costs_.of(id);
    if (const auto before = submitted_before_[i])
      lower(submitted_[index_of(*before)], begun + record_.batched_for(*before));
    for (const LaunchId before : launch_at(id).host_waits) lower(ended_[index_of(before)], begun);
  }

  const DeviceSpec& device_;
  const LaunchesOfDevices& devices_;
  const Workload& workload_;
  const LaunchGraph& graph_;
  const RunRecord& record_;
  std::vector<SimTime> submitted_;
  std::vector<SimTime> ready_;  ///< empty if the graph has no begins
  std::vector<SimTime> ended_;
  std::vector<std::optional<LaunchId>> submitted_before_;
  JointEnds joint_;
  bool have_begins_;  ///< `graph.order` has them
  HostCosts host_costs_;
};

/// Walks from a launch to the one that decided when it was ready.
class BackwardPath {
 public:
  BackwardPath(const DeviceSpec& device, const Workload& workload, const LaunchGraph& graph, const RunRecord& record,
               const LaunchesOfDevices& devices)
      : device_(device),
        devices_(devices),
        workload_(workload),
        graph_(graph),
        record_(record),
        submitted_before_(predecessors_on_host(graph.host_order, hosts_of(record), workload.launches.size())),
        joint_(record, devices.together),
        host_costs_(device, workload, graph, hosts_of(record)) {
    if (record.batched.empty()) return;
    places_.resize(workload.launches.size());
    for (std::size_t place = 0; place < graph.host_order.size(); ++place)
      places_[index_of(graph.host_order[place])] = place;
  }

  /// Returns the launch that decided when this one was ready, or nullopt if none did: by its end, its trigger or its
  /// begin in their hardware queue, or because the host waited for it before submitting this one or an earlier one.
  std::optional<LaunchId> from(LaunchId launch) const {
    const LaunchRecord& record = record_of(launch);
    if (const JointEnd* end = joint_.of(launch); end != nullptr && end->joined > JointEnds::joined_at(record_, launch))
      return end->last;
    for (const Dependency& dependency : graph_.predecessors[index_of(launch)])
      if (freed_by(dependency, launch) == *record.ready) return dependency.before;
    if (const auto before = graph_.starts.before_of(launch); before && *record_of(*before).begun == *record.ready)
      return before;
    if (*record.submitted + device_of(launch).launch_latency != *record.ready) return std::nullopt;
    return along_the_host(launch);
  }

 private:
  const DeviceSpec& device_of(LaunchId id) const {
    return devices_.device_of.empty() ? device_ : *devices_.device_of[index_of(id)];
  }
  const LaunchRecord& record_of(LaunchId launch) const { return record_.launches[index_of(launch)]; }

  /// Returns the time at which the predecessor stopped delaying `launch`.
  SimTime freed_by(const Dependency& dependency, LaunchId launch) const {
    return dependency.until == Until::triggered
               ? *record_.triggered[index_of(dependency.before)]
               : *record_of(dependency.before).ended +
                     dependency_gap(device_of(launch), workload_, dependency.before, launch);
  }

  std::optional<LaunchId> along_the_host(LaunchId launch) const {
    for (std::optional<LaunchId> at = sent_by(launch); at;) {
      const SimTime begun = submission_of(*at) - host_costs_.of(*at);
      for (const LaunchId before : workload_.launches[index_of(*at)].host_waits)
        if (*record_of(before).ended == begun) return before;
      at = submitted_before_[index_of(*at)];
      if (at && submission_of(*at) != begun) return std::nullopt;
    }
    return std::nullopt;
  }

  /// Returns the end of the launch's submission. The launch may have been sent later, in a batch.
  SimTime submission_of(LaunchId launch) const { return *record_of(launch).submitted - record_.batched_for(launch); }

  /// Returns the launch whose submission decided when this one was sent: the last of their batch if the batch was full
  /// or the host paused, else the first.
  LaunchId sent_by(LaunchId launch) const {
    if (record_.batched.empty()) return launch;
    const std::vector<LaunchId>& order = graph_.host_order;
    const SimTime sent = *record_of(launch).submitted;
    const auto is_sent_then = [&](LaunchId other) {
      return *record_of(other).submitted == sent && are_of_one_host(hosts_of(record_), launch, other);
    };
    const auto place = order.begin() + static_cast<std::ptrdiff_t>(places_[index_of(launch)]);
    const LaunchId last = *std::prev(std::find_if_not(place, order.end(), is_sent_then));
    if (submission_of(last) == sent) return last;
    const auto behind = std::make_reverse_iterator(std::next(place));
    return *std::prev(std::find_if_not(behind, order.rend(), is_sent_then));
  }

  const DeviceSpec& device_;
  const LaunchesOfDevices& devices_;
  const Workload& workload_;
  const LaunchGraph& graph_;
  const RunRecord& record_;
  std::vector<std::optional<LaunchId>> submitted_before_;
  JointEnds joint_;
  std::vector<std::size_t> places_;  ///< by launch: its position in the order of the host; empty without batches
  HostCosts host_costs_;
};

}  // namespace

void find_critical_path(const DeviceSpec& device, const Workload& workload, const LaunchGraph& graph, RunRecord& record,
                        const LaunchesOfDevices& devices) {
  const LatestTimes latest(device, workload, graph, record, devices);
  std::optional<LaunchId> last;
  for (std::size_t i = 0; i < record.launches.size(); ++i) {
    const auto id = static_cast<LaunchId>(i);
    record.launches[i].slack = latest.slack_of(id);
    const bool is_child = workload.launches[i].parent() != nullptr;
    if (!is_child && record.launches[i].is_critical() && !last && *record.launches[i].ended == record.end) last = id;
  }
  const BackwardPath backward_path(device, workload, graph, record, devices);
  for (; last; last = backward_path.from(*last)) record.critical_path.push_back(*last);
  std::reverse(record.critical_path.begin(), record.critical_path.end());
}

}  // namespace gdsim
