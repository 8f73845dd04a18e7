#pragma once

#include <gdsim/workload/launch_graph.hpp>

#include <cstddef>
#include <optional>
#include <vector>

namespace gdsim {

/// Of each graph queue, the launch that is first in the scenario: the host submits the queue's others with it.
class FirstNodes {
 public:
  /// The workload must outlive this.
  explicit FirstNodes(const Workload& workload);

  /// Returns the first launch of the graph of `launch`; nullopt if `launch` is in no graph, or is the first itself.
  std::optional<std::size_t> before(std::size_t launch) const {
    const auto queue = workload_.graph_of(workload_.launches[launch]);
    return queue && first_[index_of(*queue)] != launch ? first_[index_of(*queue)] : std::nullopt;
  }

 private:
  std::vector<std::optional<std::size_t>> first_;  ///< by queue
  const Workload& workload_;
};

/// Returns, by launch, the earliest time of its submission: its `at`, or that of the first launch of its graph. A
/// launch with `wait:` and no `at` takes the latest time of the launches that must have been submitted before it: all
/// that it waits for, directly or indirectly.
std::vector<SimTime> host_times(const Workload& workload, const Predecessors& predecessors);

/// Returns LaunchGraph::host_order. The order of launches in a cycle is unspecified: the graph reports the cycle.
std::vector<LaunchId> make_host_order(const Workload& workload, const Predecessors& predecessors);

/// Returns the order in which hardware queues start launches, over all queues: each launch comes after those that it
/// waits for. A launch counts as submitted no earlier than the launches that it waits for. If the host waits for
/// launches, the order is that of the host.
std::vector<LaunchId> make_start_sequence(const Workload& workload, const Predecessors& predecessors,
                                          const std::vector<LaunchId>& host_order);

/// The milestones of a workload by number. Each launch has two, its submission and its end; if any launch
/// waits for the beginning of another one, each has its beginning, too.
class Milestones {
 public:
  explicit Milestones(const LaunchGraph& graph)
      : have_begins_(!graph.starts.empty() || graph.trigger_waiters.size() > 0), stride_(have_begins_ ? 3 : 2) {}

  std::size_t count(std::size_t launches) const { return stride_ * launches; }
  bool have_begins() const { return have_begins_; }
  std::size_t submission_of(LaunchId launch) const { return place_of(launch, Milestone::Event::submitted); }
  std::size_t end_of(LaunchId launch) const { return place_of(launch, Milestone::Event::ended); }
  std::size_t begin_of(LaunchId launch) const { return place_of(launch, Milestone::Event::begun); }
  /// Returns the first milestone that comes after the launch is ready: its beginning, or its end if begins are not
  /// tracked.
  std::size_t ready_of(LaunchId launch) const { return have_begins_ ? begin_of(launch) : end_of(launch); }
  LaunchId launch_of(std::size_t milestone) const { return static_cast<LaunchId>(milestone / stride_); }
  Milestone::Event kind_of(std::size_t milestone) const { return static_cast<Milestone::Event>(milestone % stride_); }

 private:
  std::size_t place_of(LaunchId launch, Milestone::Event kind) const {
    return stride_ * index_of(launch) + static_cast<std::size_t>(kind);
  }

  bool have_begins_;
  std::size_t stride_;
};

/// Returns true if the host waits for a launch before it submits another one.
bool host_waits_somewhere(const Workload& workload);

/// Returns all milestones, each after those for which it waits, or nullopt if some wait for each other. The graph must
/// be complete except for `order` and `cycles`. Builds no graph in memory: a million launches are usual.
std::optional<std::vector<Milestone>> order_milestones(const Workload& workload, const LaunchGraph& graph);

}  // namespace gdsim
