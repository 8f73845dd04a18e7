#include <gdsim/workload/host_order.hpp>

#include <algorithm>
#include <optional>
#include <set>

namespace gdsim {
namespace {

/// The host waits for others and then submits it, whatever the time is.
bool comes_after_waits(const Launch& launch) { return launch.at == SimTime{} && !launch.host_waits.empty(); }

/// Finds the times by which the host orders launches, each after those of all that it waits for.
class HostTimes {
 public:
  HostTimes(const Workload& workload, const Predecessors& predecessors)
      : launches_(workload.launches),
        predecessors_(predecessors),
        first_nodes_(workload),
        seen_(launches_.size(), Seen::no) {
    for (const Launch& launch : launches_) times_.push_back(launch.at);
    latest_ = times_;
    for (std::size_t i = 0; i < launches_.size(); ++i) visit(i);
  }

  std::vector<SimTime> take() { return std::move(times_); }
  /// Of each launch, the latest time of its own and of all that it waits for.
  std::vector<SimTime> take_latest() { return std::move(latest_); }

 private:
  enum class Seen : std::uint8_t { no, begun, done };

  /// Depth first, without recursion: chains may be long.
  void visit(std::size_t launch) {
    pending_.push_back(launch);
    while (!pending_.empty()) {
      const std::size_t at = pending_.back();
      if (seen_[at] == Seen::no) {
        seen_[at] = Seen::begun;
        for (const Dependency& dependency : predecessors_[at]) go_to(dependency.before);
        for (const LaunchId before : launches_[at].host_waits) go_to(before);
        if (const auto first = first_nodes_.before(at)) go_to(static_cast<LaunchId>(*first));
      } else {
        pending_.pop_back();
        if (seen_[at] == Seen::begun) finish(at);
      }
    }
  }

  void go_to(LaunchId launch) {
    if (seen_[index_of(launch)] == Seen::no) pending_.push_back(index_of(launch));
  }

  void finish(std::size_t at) {
    seen_[at] = Seen::done;
    for (const LaunchId before : launches_[at].host_waits)
      latest_[at] = std::max(latest_[at], latest_[index_of(before)]);
    if (comes_after_waits(launches_[at])) times_[at] = latest_[at];
    if (const auto first = first_nodes_.before(at)) times_[at] = latest_[at] = times_[*first];
    for (const Dependency& dependency : predecessors_[at])
      latest_[at] = std::max(latest_[at], latest_[index_of(dependency.before)]);
  }

  const std::vector<Launch>& launches_;
  const Predecessors& predecessors_;
  FirstNodes first_nodes_;
  std::vector<Seen> seen_;            ///< by launch
  std::vector<std::size_t> pending_;  ///< still to go
  std::vector<SimTime> times_;        ///< by launch
  std::vector<SimTime> latest_;       ///< by launch: of its own time and those of all that it waits for
};

/// Puts launches behind all that they wait for, otherwise in the order in which they are added.
class Sequence {
 public:
  Sequence(const Workload& workload, const Predecessors& predecessors)
      : launches_(workload.launches), predecessors_(predecessors), is_in_(launches_.size(), false) {}

  /// Without recursion: chains may be long.
  void add(LaunchId launch) {
    pending_.push_back(launch);
    while (!pending_.empty()) {
      const LaunchId at = pending_.back();
      const std::size_t i = index_of(at);
      if (is_in_[i] || !is_open_.insert(at).second) {
        if (!is_in_[i]) sequence_.push_back(at);
        is_in_[i] = true;
        pending_.pop_back();
        continue;
      }
      for (const Dependency& dependency : predecessors_[i]) wait_for(dependency.before);
      for (const LaunchId before : launches_[i].host_waits) wait_for(before);
    }
    is_open_.clear();
  }
  std::vector<LaunchId> take() { return std::move(sequence_); }

 private:
  void wait_for(LaunchId launch) {
    if (!is_in_[index_of(launch)] && !is_open_.contains(launch)) pending_.push_back(launch);
  }

  const std::vector<Launch>& launches_;
  const Predecessors& predecessors_;
  std::vector<bool> is_in_;
  std::vector<LaunchId> pending_;  ///< still to be put behind what they wait for
  std::set<LaunchId> is_open_;     ///< what they wait for is being added
  std::vector<LaunchId> sequence_;
};

/// All nodes of a graph follow the first one at once.
std::vector<LaunchId> with_whole_graphs(const Workload& workload, const std::vector<LaunchId>& order) {
  if (std::none_of(workload.queues.begin(), workload.queues.end(), [](const Queue& queue) { return queue.is_graph; }))
    return order;
  const FirstNodes first_nodes(workload);
  std::vector<std::vector<LaunchId>> nodes(workload.queues.size());
  for (const LaunchId id : order)
    if (const auto graph = first_nodes.graph_of(index_of(id))) nodes[index_of(*graph)].push_back(id);
  std::vector<LaunchId> whole;
  for (const LaunchId id : order) {
    const auto graph = first_nodes.graph_of(index_of(id));
    if (!graph) {
      whole.push_back(id);
      continue;
    }
    whole.insert(whole.end(), nodes[index_of(*graph)].begin(), nodes[index_of(*graph)].end());
    nodes[index_of(*graph)].clear();
  }
  return whole;
}

}  // namespace

FirstNodes::FirstNodes(const Workload& workload) : first_(workload.queues.size()), workload_(workload) {
  for (std::size_t i = 0; i < workload.launches.size(); ++i)
    if (const auto queue = graph_of(i); queue && !first_[index_of(*queue)]) first_[index_of(*queue)] = i;
}

std::vector<SimTime> host_times(const Workload& workload, const Predecessors& predecessors) {
  const std::vector<Launch>& launches = workload.launches;
  if (std::any_of(launches.begin(), launches.end(), comes_after_waits)) return HostTimes(workload, predecessors).take();
  std::vector<SimTime> times;
  for (const Launch& launch : launches) times.push_back(launch.at);
  const FirstNodes first_nodes(workload);
  for (std::size_t i = 0; i < launches.size(); ++i)
    if (const auto first = first_nodes.before(i)) times[i] = launches[*first].at;
  return times;
}

std::vector<LaunchId> make_host_order(const Workload& workload, const Predecessors& predecessors) {
  const std::vector<SimTime> times = host_times(workload, predecessors);
  std::vector<LaunchId> order;
  order.reserve(workload.launches.size());
  for (std::size_t i = 0; i < workload.launches.size(); ++i)
    if (workload.launches[i].parent() == nullptr) order.push_back(static_cast<LaunchId>(i));
  std::stable_sort(order.begin(), order.end(),
                   [&](LaunchId a, LaunchId b) { return times[index_of(a)] < times[index_of(b)]; });
  return with_whole_graphs(workload, order);
}

std::vector<LaunchId> make_start_sequence(const Workload& workload, const Predecessors& predecessors,
                                          const std::vector<LaunchId>& host_order) {
  std::vector<LaunchId> order = host_order;
  const auto& launches = workload.launches;
  if (std::all_of(launches.begin(), launches.end(), [](const Launch& one) { return one.host_waits.empty(); })) {
    const std::vector<SimTime> latest = HostTimes(workload, predecessors).take_latest();
    std::stable_sort(order.begin(), order.end(),
                     [&](LaunchId a, LaunchId b) { return latest[index_of(a)] < latest[index_of(b)]; });
  }
  Sequence sequence(workload, predecessors);
  for (const LaunchId launch : order) sequence.add(launch);
  return sequence.take();
}

}  // namespace gdsim
