#include <gdsim/run/critical_path.hpp>

#include <algorithm>

namespace gdsim {
namespace {

/// By launch: which the host submits just before it.
std::vector<std::optional<LaunchId>> predecessors_on_host(const std::vector<LaunchId>& order, std::size_t launches) {
  std::vector<std::optional<LaunchId>> before(launches);
  std::optional<LaunchId> last;
  for (const LaunchId id : order) {
    before[index_of(id)] = last;
    last = id;
  }
  return before;
}

/// The latest times at which milestones could have occurred without a later end of the run. Goes back from that end.
class LatestTimes {
 public:
  LatestTimes(const DeviceSpec& device, const Workload& workload, const LaunchGraph& graph, const RunRecord& record)
      : device_(device),
        workload_(workload),
        graph_(graph),
        record_(record),
        submitted_(workload.launches.size(), record.end),
        ended_(workload.launches.size(), record.end),
        submitted_before_(predecessors_on_host(graph.host_order, workload.launches.size())) {
    for (auto milestone = graph.order.rbegin(); milestone != graph.order.rend(); ++milestone) {
      if (milestone->kind == Milestone::Kind::ended) {
        propagate_from_end(milestone->launch);
      } else {
        propagate_from_submission(milestone->launch);
      }
    }
  }

  SimTime end_of(LaunchId launch) const { return ended_[index_of(launch)]; }

 private:
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
    const SimTime ready = ended_[i] - (*own.ended - *own.ready);
    for (const Dependency& dependency : graph_.predecessors[i])
      lower(ended_[index_of(dependency.before)], ready - device_.dependency_gap);
    lower(submitted_[i], ready - device_.launch_latency);
  }

  /// Matters only where the host waits for launches: then its order is part of the graph.
  void propagate_from_submission(LaunchId id) {
    const std::size_t i = index_of(id);
    const SimTime begun = submitted_[i] - device_.submit_overhead;
    if (submitted_before_[i]) lower(submitted_[index_of(*submitted_before_[i])], begun);
    for (const LaunchId before : launch_at(id).host_waits) lower(ended_[index_of(before)], begun);
  }

  const DeviceSpec& device_;
  const Workload& workload_;
  const LaunchGraph& graph_;
  const RunRecord& record_;
  std::vector<SimTime> submitted_;
  std::vector<SimTime> ended_;
  std::vector<std::optional<LaunchId>> submitted_before_;
};

/// Walks from a launch to the one that decided when it was ready.
class BackwardPath {
 public:
  BackwardPath(const DeviceSpec& device, const Workload& workload, const LaunchGraph& graph,
               const std::vector<LaunchRecord>& records)
      : device_(device),
        workload_(workload),
        graph_(graph),
        records_(records),
        submitted_before_(predecessors_on_host(graph.host_order, workload.launches.size())) {}

  /// The launch whose end made this one ready or let the host submit it, or others before it, if any did.
  std::optional<LaunchId> from(LaunchId launch) const {
    const LaunchRecord& record = record_of(launch);
    for (const Dependency& dependency : graph_.predecessors[index_of(launch)])
      if (*record_of(dependency.before).ended + device_.dependency_gap == *record.ready) return dependency.before;
    if (*record.submitted + device_.launch_latency != *record.ready) return std::nullopt;
    return along_the_host(launch);
  }

 private:
  const LaunchRecord& record_of(LaunchId launch) const { return records_[index_of(launch)]; }

  std::optional<LaunchId> along_the_host(LaunchId launch) const {
    for (std::optional<LaunchId> at = launch; at;) {
      const SimTime begun = *record_of(*at).submitted - device_.submit_overhead;
      for (const LaunchId before : workload_.launches[index_of(*at)].host_waits)
        if (*record_of(before).ended == begun) return before;
      at = submitted_before_[index_of(*at)];
      if (at && *record_of(*at).submitted != begun) return std::nullopt;
    }
    return std::nullopt;
  }

  const DeviceSpec& device_;
  const Workload& workload_;
  const LaunchGraph& graph_;
  const std::vector<LaunchRecord>& records_;
  std::vector<std::optional<LaunchId>> submitted_before_;
};

}  // namespace

void find_critical_path(const DeviceSpec& device, const Workload& workload, const LaunchGraph& graph,
                        RunRecord& record) {
  const LatestTimes latest(device, workload, graph, record);
  std::optional<LaunchId> last;
  for (std::size_t i = 0; i < record.launches.size(); ++i) {
    const auto id = static_cast<LaunchId>(i);
    record.launches[i].slack = latest.end_of(id) - *record.launches[i].ended;
    const bool is_child = workload.launches[i].parent() != nullptr;
    if (!is_child && record.launches[i].is_critical() && !last && *record.launches[i].ended == record.end) last = id;
  }
  const BackwardPath backward_path(device, workload, graph, record.launches);
  for (; last; last = backward_path.from(*last)) record.critical_path.push_back(*last);
  std::reverse(record.critical_path.begin(), record.critical_path.end());
}

}  // namespace gdsim
