#include <gdsim/workload/launch_order.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

/// Returns true if the host waits for other launches and then submits this one, whatever the time is.
bool comes_after_waits(const Launch& launch) { return launch.at == SimTime{} && !launch.host_waits.empty(); }

/// Calls `finish(launch)` once for each of `launches` and for all launches that they wait for, directly or not: each
/// after those that it waits for, which come in the order of the file. `for_each_wait` calls its second argument with
/// each launch that its first argument waits for. The order within a cycle is unspecified. Not recursive: chains may be
/// long.
template <class Launches, class ForEachWait, class Finish>
void visit_behind_waits(const Launches& launches, std::size_t count, ForEachWait for_each_wait, Finish finish) {
  enum class Seen : std::uint8_t { no, begun, done };
  std::vector<Seen> seen(count, Seen::no);
  std::vector<std::size_t> pending;  // still to visit, the next one last
  for (const LaunchId launch : launches) {
    pending.push_back(index_of(launch));
    while (!pending.empty()) {
      const std::size_t at = pending.back();
      if (seen[at] == Seen::no) {
        seen[at] = Seen::begun;
        const auto waits = static_cast<std::ptrdiff_t>(pending.size());
        for_each_wait(at, [&](LaunchId before) {
          if (seen[index_of(before)] == Seen::no) pending.push_back(index_of(before));
        });
        std::sort(pending.begin() + waits, pending.end(), std::greater<>());
      } else {
        pending.pop_back();
        if (std::exchange(seen[at], Seen::done) == Seen::begun) finish(at);
      }
    }
  }
}

/// By launch: the time by which the host orders it, and the latest such time of it and of its direct and indirect
/// waits.
struct HostTimes {
  std::vector<SimTime> own;
  std::vector<SimTime> latest;
};

HostTimes find_host_times(const Workload& workload, const Predecessors& predecessors) {
  const std::vector<Launch>& launches = workload.launches;
  const FirstNodes first_nodes(workload);
  HostTimes times;
  std::vector<LaunchId> all;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    times.own.push_back(launches[i].at);
    all.push_back(static_cast<LaunchId>(i));
  }
  times.latest = times.own;
  const auto for_each_wait = [&](std::size_t at, auto wait_for) {
    for (const Dependency& dependency : predecessors[at]) wait_for(dependency.before);
    for (const LaunchId before : launches[at].host_waits) wait_for(before);
    if (const auto first = first_nodes.before(at)) wait_for(static_cast<LaunchId>(*first));
  };
  visit_behind_waits(all, launches.size(), for_each_wait, [&](std::size_t at) {
    SimTime& latest = times.latest[at];
    for (const LaunchId before : launches[at].host_waits) latest = std::max(latest, times.latest[index_of(before)]);
    if (comes_after_waits(launches[at])) times.own[at] = latest;
    if (const auto first = first_nodes.before(at)) times.own[at] = latest = times.own[*first];
    for (const Dependency& dependency : predecessors[at])
      latest = std::max(latest, times.latest[index_of(dependency.before)]);
  });
  return times;
}

/// Inserts the other nodes of a graph directly after the first one.
std::vector<LaunchId> with_whole_graphs(const Workload& workload, const std::vector<LaunchId>& order) {
  if (std::none_of(workload.queues.begin(), workload.queues.end(), [](const Queue& queue) { return queue.is_graph; }))
    return order;
  std::vector<std::vector<LaunchId>> nodes(workload.queues.size());
  for (const LaunchId id : order)
    if (const auto graph = workload.graph_of(workload.launches[index_of(id)])) nodes[index_of(*graph)].push_back(id);
  std::vector<LaunchId> with_graphs;
  for (const LaunchId id : order) {
    const auto graph = workload.graph_of(workload.launches[index_of(id)]);
    if (!graph) {
      with_graphs.push_back(id);
      continue;
    }
    with_graphs.insert(with_graphs.end(), nodes[index_of(*graph)].begin(), nodes[index_of(*graph)].end());
    nodes[index_of(*graph)].clear();
  }
  return with_graphs;
}

}  // namespace

FirstNodes::FirstNodes(const Workload& workload) : first_(workload.queues.size()), workload_(workload) {
  for (std::size_t i = 0; i < workload.launches.size(); ++i)
    if (const auto queue = workload.graph_of(workload.launches[i]); queue && !first_[index_of(*queue)])
      first_[index_of(*queue)] = i;
}

std::vector<SimTime> host_times(const Workload& workload, const Predecessors& predecessors) {
  const std::vector<Launch>& launches = workload.launches;
  if (std::any_of(launches.begin(), launches.end(), comes_after_waits))
    return find_host_times(workload, predecessors).own;
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
    const std::vector<SimTime> latest = find_host_times(workload, predecessors).latest;
    std::stable_sort(order.begin(), order.end(),
                     [&](LaunchId a, LaunchId b) { return latest[index_of(a)] < latest[index_of(b)]; });
  }
  std::vector<LaunchId> sequence;
  const auto for_each_wait = [&](std::size_t at, auto wait_for) {
    for (const Dependency& dependency : predecessors[at]) wait_for(dependency.before);
    for (const LaunchId before : launches[at].host_waits) wait_for(before);
  };
  visit_behind_waits(order, launches.size(), for_each_wait,
                     [&](std::size_t at) { sequence.push_back(static_cast<LaunchId>(at)); });
  return sequence;
}

namespace {

class MilestoneOrder {
 public:
  MilestoneOrder(const Workload& workload, const LaunchGraph& found)
      : launches_(workload.launches),
        found_(found),
        milestones_(found),
        waits_for_(milestones_.count(launches_.size()), 0) {
    children_ = FlatLists<LaunchId>::collect(launches_.size(), [&](const auto& add) {
      for (std::size_t i = 0; i < launches_.size(); ++i)
        if (const LaunchParent* parent = launches_[i].parent()) add(index_of(parent->launch), static_cast<LaunchId>(i));
    });
    if (host_waits_somewhere(workload)) note_host_order();
    for (std::size_t i = 0; i < launches_.size(); ++i) count_waits(static_cast<LaunchId>(i));
  }

  /// Returns nullopt if some milestones wait for each other.
  std::optional<std::vector<Milestone>> find() {
    order_.reserve(waits_for_.size());
    for (std::size_t i = 0; i < launches_.size(); ++i)
      if (const auto submission = milestones_.submission_of(static_cast<LaunchId>(i)); waits_for_[submission] == 0)
        reach(submission);
    for (std::size_t i = 0; i < order_.size(); ++i) leave(order_[i]);
    if (order_.size() < waits_for_.size()) return std::nullopt;
    return std::move(order_);
  }

 private:
  /// The host submits one launch after the other, each after the launches for which it waits.
  void note_host_order() {
    next_on_host_.resize(launches_.size());
    std::optional<LaunchId> last;
    for (const LaunchId id : found_.host_order) {
      if (last) next_on_host_[index_of(*last)] = id;
      waits_for_[milestones_.submission_of(id)] +=
          static_cast<std::uint32_t>((last ? 1 : 0) + launches_[index_of(id)].host_waits.size());
      last = id;
    }
    host_waiters_ = FlatLists<LaunchId>::collect(launches_.size(), [&](const auto& add) {
      for (const LaunchId id : found_.host_order)
        for (const LaunchId before : launches_[index_of(id)].host_waits) add(index_of(before), id);
    });
  }

  void count_waits(LaunchId id) {
    const std::size_t i = index_of(id);
    // The launch's submission comes before it is ready.
    waits_for_[milestones_.ready_of(id)] += static_cast<std::uint32_t>(1 + found_.predecessors[i].size());
    waits_for_[milestones_.end_of(id)] += static_cast<std::uint32_t>(children_[i].size());
    if (milestones_.have_begins()) ++waits_for_[milestones_.end_of(id)];
    for (const Dependency& dependency : found_.predecessors[i])
      if (dependency.until == Until::triggered) ++waits_for_[milestones_.end_of(id)];
    if (found_.starts.before_of(id)) ++waits_for_[milestones_.begin_of(id)];
    if (launches_[i].parent() != nullptr) ++waits_for_[milestones_.submission_of(id)];
  }

  void reach(std::size_t milestone) {
    order_.emplace_back(milestones_.launch_of(milestone), milestones_.kind_of(milestone));
  }
  void count_down(std::size_t milestone) {
    if (--waits_for_[milestone] == 0) reach(milestone);
  }

  /// Removes this milestone from the waits of all others.
  void leave(Milestone milestone) {
    switch (milestone.event) {
      case Milestone::Event::submitted: leave_submission(milestone.launch); break;
      case Milestone::Event::begun: leave_begin(milestone.launch); break;
      case Milestone::Event::ended: leave_end(milestone.launch); break;
    }
  }
  void leave_submission(LaunchId launch) {
    const std::size_t i = index_of(launch);
    for (const LaunchId child : children_[i]) count_down(milestones_.submission_of(child));
    if (!next_on_host_.empty() && next_on_host_[i]) count_down(milestones_.submission_of(*next_on_host_[i]));
    count_down(milestones_.ready_of(launch));
  }
  void leave_begin(LaunchId launch) {
    if (const auto next = found_.starts.next_of(launch)) count_down(milestones_.begin_of(*next));
    if (found_.has_trigger_waiters(launch))
      for (const LaunchId waiter : found_.trigger_waiters[index_of(launch)]) count_down(milestones_.begin_of(waiter));
    count_down(milestones_.end_of(launch));
  }
  void leave_end(LaunchId launch) {
    const std::size_t i = index_of(launch);
    for (const LaunchId next : found_.successors[i]) count_down(milestones_.ready_of(next));
    // The launch ends only after those for whose triggers it waited.
    if (found_.has_trigger_waiters(launch))
      for (const LaunchId waiter : found_.trigger_waiters[i]) count_down(milestones_.end_of(waiter));
    if (const LaunchParent* parent = launches_[i].parent()) count_down(milestones_.end_of(parent->launch));
    if (host_waiters_.size() > 0)
      for (const LaunchId waiter : host_waiters_[i]) count_down(milestones_.submission_of(waiter));
  }

  const std::vector<Launch>& launches_;
  const LaunchGraph& found_;
  Milestones milestones_;
  std::vector<std::uint32_t> waits_for_;               ///< by milestone: the number of those that must come before
  FlatLists<LaunchId> children_;                       ///< by launch
  std::vector<std::optional<LaunchId>> next_on_host_;  ///< by launch; empty if the host never waits
  FlatLists<LaunchId> host_waiters_;  ///< by launch: those that the host submits after its end; or empty
  std::vector<Milestone> order_;
};

}  // namespace

bool host_waits_somewhere(const Workload& workload) {
  return std::any_of(workload.launches.begin(), workload.launches.end(),
                     [](const Launch& launch) { return !launch.host_waits.empty(); });
}

std::optional<std::vector<Milestone>> order_milestones(const Workload& workload, const LaunchGraph& graph) {
  return MilestoneOrder(workload, graph).find();
}

}  // namespace gdsim
