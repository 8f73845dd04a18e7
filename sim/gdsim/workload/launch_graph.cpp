#include <gdsim/workload/launch_graph.hpp>

#include <gdsim/workload/launch_order.hpp>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/depth_first_search.hpp>
#include <boost/graph/strong_components.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
using Vertex = boost::graph_traits<Graph>::vertex_descriptor;

/// Each vertex waits for the previous one, and the first for the last.
using Cycle = std::vector<Vertex>;

/// Finds the first cycle in each strongly connected set of vertices.
class CycleFinder : public boost::dfs_visitor<> {
 public:
  CycleFinder(const std::vector<std::size_t>& components, std::vector<Vertex>& path, std::vector<Cycle>& cycles)
      : components_(components), path_(path), cycles_(cycles) {}

  void discover_vertex(Vertex vertex, const Graph&) { path_.push_back(vertex); }
  void finish_vertex(Vertex, const Graph&) { path_.pop_back(); }
  template <class Edge>
  void back_edge(Edge edge, const Graph& graph) {
    const Vertex first = boost::target(edge, graph);
    if (cycles_[components_[first]].empty())
      cycles_[components_[first]].assign(std::find(path_.begin(), path_.end(), first), path_.end());
  }

 private:
  const std::vector<std::size_t>& components_;  ///< by vertex
  std::vector<Vertex>& path_;
  std::vector<Cycle>& cycles_;  ///< by component; empty if there is none
};

std::vector<Cycle> find_cycles(const Graph& graph) {
  std::vector<std::size_t> components(boost::num_vertices(graph));
  std::vector<Cycle> cycles(boost::strong_components(
      graph, boost::make_iterator_property_map(components.begin(), boost::get(boost::vertex_index, graph))));
  std::vector<Vertex> path;
  boost::depth_first_search(graph, boost::visitor(CycleFinder(components, path, cycles)));
  std::erase_if(cycles, [](const Cycle& cycle) { return cycle.empty(); });
  return cycles;
}

/// Keeps each predecessor once, with the first of its causes in the order of Cause. A wait for its end counts before a
/// wait for its trigger.
void keep_each_once(std::vector<Dependency>& predecessors) {
  const auto rank = [](const Dependency& d) { return std::tuple(d.before, d.until, d.cause, d.buffer); };
  std::sort(predecessors.begin(), predecessors.end(),
            [&](const Dependency& a, const Dependency& b) { return rank(a) < rank(b); });
  const auto same = [](const Dependency& a, const Dependency& b) { return a.before == b.before; };
  predecessors.erase(std::unique(predecessors.begin(), predecessors.end(), same), predecessors.end());
}

/// Drops waits for the end of a launch for whose trigger the same launch waits: always the wait of their queue; that of
/// a buffer only if the program itself waits for the end.
void drop_what_triggers_replace(const Kernel& kernel, std::vector<Dependency>& predecessors) {
  const bool waits_itself = has_step<WaitDependencies>(kernel.program);
  const std::vector<Dependency> all = predecessors;
  const auto is_trigger_of = [&](LaunchId predecessor) {
    return std::any_of(all.begin(), all.end(), [predecessor](const Dependency& other) {
      return other.before == predecessor && other.until == Until::triggered;
    });
  };
  std::erase_if(predecessors, [&](const Dependency& dependency) {
    if (dependency.until == Until::triggered || dependency.cause == Cause::after || !is_trigger_of(dependency.before))
      return false;
    return dependency.cause == Cause::queue || waits_itself;
  });
}

/// Returns the milestone of the previous launch in the in-order queue for which `launch` waits.
Until until_in_queue(const Workload& workload, const Launch& launch, LaunchId predecessor) {
  const bool overlaps = workload.queues[index_of(*launch.queue)].waits_for_triggers && launch.is_kernel() &&
                        workload.launches[index_of(predecessor)].is_kernel();
  return overlaps ? Until::triggered : Until::ended;
}

/// The last launch of each in-order queue so far. Each device has queues of its own.
class LastInQueues {
 public:
  explicit LastInQueues(std::size_t queues) : here_(queues) {}

  std::optional<LaunchId> exchange(const Launch& launch, LaunchId id) {
    const QueueId queue = *launch.queue;
    auto& last = launch.is_remote() ? remote_[std::pair(launch.as_remote().device, queue)] : here_[index_of(queue)];
    return std::exchange(last, id);
  }

 private:
  std::vector<std::optional<LaunchId>> here_;  ///< by queue
  std::map<std::pair<DeviceId, QueueId>, std::optional<LaunchId>> remote_;
};

/// Takes the launches' uses of buffers in order, and finds the earlier launches after which each launch must come.
class BufferHazards {
 public:
  explicit BufferHazards(std::size_t buffers) : uses_(buffers) {}

  /// Adds to `predecessors` those of the launch, which is the next in the order of the file. A launch does not depend
  /// on itself, though it may both read and write a buffer. Constant time per access on average.
  void add(LaunchId id, const Launch& launch, std::vector<Dependency>& predecessors) {
    for (const BufferId buffer : launch.reads)
      if (const auto writer = uses_[index_of(buffer)].writer)
        predecessors.push_back({*writer, Cause::read_after_write, Until::ended, buffer});
    for (const BufferId buffer : launch.writes) {
      const Use& use = uses_[index_of(buffer)];
      if (use.readers.empty() && use.writer)
        predecessors.push_back({*use.writer, Cause::write_after_write, Until::ended, buffer});
      for (const LaunchId reader : use.readers)
        predecessors.push_back({reader, Cause::write_after_read, Until::ended, buffer});
    }
    for (const BufferId buffer : launch.reads) uses_[index_of(buffer)].readers.push_back(id);
    for (const BufferId buffer : launch.writes) uses_[index_of(buffer)] = {id, {}};
  }

 private:
  struct Use {
    std::optional<LaunchId> writer;
    std::vector<LaunchId> readers;  ///< since the last write
  };

  std::vector<Use> uses_;  ///< by buffer
};

Predecessors find_predecessors(const Workload& workload) {
  Predecessors predecessors;
  predecessors.reserve(workload.launches.size());
  std::vector<Dependency> of_launch;
  LastInQueues last_in_queue(workload.queues.size());
  BufferHazards hazards(workload.buffers.size());
  for (std::size_t i = 0; i < workload.launches.size(); ++i) {
    const Launch& launch = workload.launches[i];
    const auto id = static_cast<LaunchId>(i);
    of_launch.clear();
    for (const LaunchId predecessor : launch.after) of_launch.push_back({predecessor, Cause::after});
    for (const LaunchId predecessor : launch.after_triggers)
      of_launch.push_back({predecessor, Cause::after, Until::triggered});
    if (launch.queue && workload.queues[index_of(*launch.queue)].order == QueueOrder::in_order)
      if (const auto predecessor = last_in_queue.exchange(launch, id))
        of_launch.push_back({*predecessor, Cause::queue, until_in_queue(workload, launch, *predecessor)});
    hazards.add(id, launch, of_launch);
    // While a file is read, a launch may refer to a kernel that could not be read.
    const bool is_known = !launch.is_kernel() || index_of(launch.as_kernel().kernel) < workload.kernels.size();
    if (is_known && std::any_of(of_launch.begin(), of_launch.end(),
                                [](const Dependency& dependency) { return dependency.until == Until::triggered; }))
      drop_what_triggers_replace(workload.kernel_of(launch), of_launch);
    keep_each_once(of_launch);
    predecessors.add(of_launch);
  }
  return predecessors;
}

bool is_cooperative(const Launch& launch) { return launch.is_kernel() && launch.as_kernel().is_cooperative; }

bool meet(const CoreSelection& a, const CoreSelection& b) {
  return a.empty() || b.empty() || std::any_of(a.begin(), a.end(), [&](const CoreRange& range) {
           return std::any_of(b.begin(), b.end(), [&](const CoreRange& other) {
             return range.first <= other.last && other.first <= range.last;
           });
         });
}

/// Lets each launch wait for the end of those of `before`, by launch, for which it does not wait anyway.
void add_predecessors(const Workload& workload, const std::vector<std::vector<LaunchId>>& before, Cause cause,
                      LaunchGraph& launch_graph) {
  Predecessors joined;
  joined.reserve(workload.launches.size());
  for (std::size_t i = 0; i < workload.launches.size(); ++i) {
    std::vector<Dependency> merged(launch_graph.predecessors[i].begin(), launch_graph.predecessors[i].end());
    for (const LaunchId other : before[i])
      if (std::none_of(merged.begin(), merged.end(),
                       [&](const Dependency& dependency) { return dependency.before == other; }))
        merged.push_back({other, cause});
    if (!before[i].empty()) keep_each_once(merged);
    joined.add(merged);
  }
  launch_graph.predecessors = std::move(joined);
}

/// Lets each cooperative launch wait for the end of earlier ones that may be on one of its cores, unless it waits for
/// them anyway.
void put_cooperative_in_order(const Workload& workload, LaunchGraph& launch_graph) {
  if (std::count_if(workload.launches.begin(), workload.launches.end(), is_cooperative) < 2) return;
  std::vector<std::vector<LaunchId>> before(workload.launches.size());
  std::vector<LaunchId> last;  // by part of the device: the last launch that covers it
  for (const LaunchId id : make_start_sequence(workload, launch_graph.predecessors, launch_graph.host_order)) {
    if (!is_cooperative(workload.launches[index_of(id)])) continue;
    const CoreSelection& cores_of_launch = workload.cores_of(workload.launches[index_of(id)]);
    const auto cores = [&](LaunchId other) -> const CoreSelection& {
      return workload.cores_of(workload.launches[index_of(other)]);
    };
    for (const LaunchId other : last)
      if (meet(cores_of_launch, cores(other))) before[index_of(id)].push_back(other);
    std::erase_if(last, [&](LaunchId other) {
      return cores_of_launch.empty() || (!cores(other).empty() && lies_within(cores(other), cores_of_launch));
    });
    last.push_back(id);
  }
  add_predecessors(workload, before, Cause::cooperative, launch_graph);
}

/// Calls `visit(id, before)` for each launch with the launch before it in its hardware queue. Copies and children are
/// in no hardware queue. If the device has one, launches in no queue share it, except those with a priority. Each
/// selection of cores, and each process, has hardware queues of its own, with the same numbers.
template <class Visit>
void visit_starts(const Workload& workload, const LaunchGraph& launch_graph, Visit visit) {
  if (launch_graph.hardware_queues.numbers.empty() && !launch_graph.hardware_queues.of_unqueued) return;
  const std::vector<std::uint32_t>& processes = launch_graph.hardware_queues.processes;
  std::map<std::tuple<std::uint32_t, std::uint32_t, CoreSelection>, LaunchId> last;
  for (const LaunchId id : make_start_sequence(workload, launch_graph.predecessors, launch_graph.host_order)) {
    const Launch& launch = workload.launches[index_of(id)];
    const auto queue = launch_graph.hardware_queue_of(launch);
    if (!queue) continue;
    const std::uint32_t process = processes.empty() ? 0 : processes[index_of(id)];
    const auto [entry, is_first] = last.try_emplace(std::tuple(*queue, process, workload.cores_of(launch)), id);
    if (!is_first) visit(id, std::exchange(entry->second, id));
  }
}

/// By launch, the launch after whose begin it starts.
StartOrder make_start_order(const Workload& workload, const LaunchGraph& launch_graph) {
  StartOrder starts;
  visit_starts(workload, launch_graph, [&](LaunchId id, LaunchId before) {
    if (starts.empty()) {
      starts.before.resize(workload.launches.size());
      starts.next.resize(workload.launches.size());
    }
    starts.before[index_of(id)] = before;
    starts.next[index_of(before)] = id;
  });
  return starts;
}

/// Lets each launch wait for the end of the launch before it in its hardware queue.
void put_hardware_queues_in_order(const Workload& workload, LaunchGraph& launch_graph) {
  std::vector<std::vector<LaunchId>> all_before(workload.launches.size());
  visit_starts(workload, launch_graph,
               [&](LaunchId id, LaunchId before) { all_before[index_of(id)].push_back(before); });
  add_predecessors(workload, all_before, Cause::hardware_queue, launch_graph);
}

/// By launch: the launches that wait for its end, or for its trigger.
FlatLists<LaunchId> waiters(const LaunchGraph& launch_graph, Until until, std::size_t launches) {
  return FlatLists<LaunchId>::collect(launches, [&](const auto& add) {
    for (std::size_t i = 0; i < launches; ++i)
      for (const Dependency& dependency : launch_graph.predecessors[i])
        if (dependency.until == until) add(index_of(dependency.before), static_cast<LaunchId>(i));
  });
}

/// Adds edges for the host, which submits one launch after the other, each after the launches for which it waits.
void add_host_edges(const Workload& workload, const LaunchGraph& launch_graph, const Milestones& milestones,
                    Graph& graph) {
  std::optional<LaunchId> last;
  for (const LaunchId id : launch_graph.host_order) {
    if (last) boost::add_edge(milestones.submission_of(*last), milestones.submission_of(id), graph);
    for (const LaunchId before : workload.launches[index_of(id)].host_waits)
      boost::add_edge(milestones.end_of(before), milestones.submission_of(id), graph);
    last = id;
  }
}

Graph make_graph(const Workload& workload, const LaunchGraph& launch_graph, const Milestones& milestones) {
  Graph graph(milestones.count(workload.launches.size()));
  for (std::size_t i = 0; i < workload.launches.size(); ++i) {
    const auto id = static_cast<LaunchId>(i);
    boost::add_edge(milestones.submission_of(id), milestones.ready_of(id), graph);
    if (milestones.have_begins()) boost::add_edge(milestones.begin_of(id), milestones.end_of(id), graph);
    for (const Dependency& dependency : launch_graph.predecessors[i]) {
      const bool is_trigger = dependency.until == Until::triggered;
      if (is_trigger) boost::add_edge(milestones.begin_of(dependency.before), milestones.begin_of(id), graph);
      // A launch that waits for its own trigger is one cycle, not two.
      if (is_trigger && dependency.before == id) continue;
      boost::add_edge(milestones.end_of(dependency.before),
                      is_trigger ? milestones.end_of(id) : milestones.ready_of(id), graph);
    }
    if (const auto before = launch_graph.starts.before_of(id))
      boost::add_edge(milestones.begin_of(*before), milestones.begin_of(id), graph);
    if (const LaunchParent* parent = workload.launches[i].parent()) {
      boost::add_edge(milestones.submission_of(parent->launch), milestones.submission_of(id), graph);
      boost::add_edge(milestones.end_of(id), milestones.end_of(parent->launch), graph);
    }
  }
  if (host_waits_somewhere(workload)) add_host_edges(workload, launch_graph, milestones, graph);
  return graph;
}

/// Returns why `to` waits for `from`, or nullopt if they are successive milestones of one launch.
std::optional<CycleLink> link_of(Vertex from, Vertex to, const Workload& workload, const LaunchGraph& launch_graph,
                                 const Milestones& milestones) {
  CycleLink link{milestones.launch_of(to), milestones.launch_of(from), CycleLink::Reason::parent, {}};
  const bool is_submission = to == milestones.submission_of(link.launch);
  const bool is_its_own = link.launch == link.waits_for && from != to && !is_submission;
  if (is_its_own && milestones.kind_of(from) != Milestone::Event::ended) return std::nullopt;
  switch (milestones.kind_of(from)) {
    case Milestone::Event::submitted:
      if (workload.launches[index_of(link.launch)].parent() == nullptr) link.kind = CycleLink::Reason::host_order;
      break;
    case Milestone::Event::begun:
      link.kind = CycleLink::Reason::start;
      for (const Dependency& dependency : launch_graph.predecessors[index_of(link.launch)])
        if (dependency.before == link.waits_for && dependency.until == Until::triggered) link.dependency = dependency;
      if (link.dependency) link.kind = CycleLink::Reason::dependency;
      break;
    case Milestone::Event::ended:
      if (is_submission) {
        link.kind = CycleLink::Reason::host_wait;
        break;
      }
      for (const Dependency& dependency : launch_graph.predecessors[index_of(link.launch)])
        if (dependency.before == link.waits_for) link.dependency = dependency;
      if (link.dependency) link.kind = CycleLink::Reason::dependency;
      break;
  }
  return link;
}

/// Returns the links of a cycle of vertices, each of which waits for the previous one. Successive submissions of the
/// host form one link.
std::vector<CycleLink> links_of(const std::vector<Vertex>& vertices, const Workload& workload,
                                const LaunchGraph& launch_graph, const Milestones& milestones) {
  std::vector<CycleLink> links;
  const auto says_so = [](const CycleLink& link) {
    return link.kind != CycleLink::Reason::host_order && link.kind != CycleLink::Reason::start;
  };
  for (std::size_t i = vertices.size(); i-- > 0;)
    if (const auto link = link_of(vertices[i], vertices[(i + 1) % vertices.size()], workload, launch_graph, milestones))
      links.push_back(*link);
  const auto first = std::min_element(links.begin(), links.end(), [&](const CycleLink& a, const CycleLink& b) {
    return std::tuple(!says_so(a), a.launch) < std::tuple(!says_so(b), b.launch);
  });
  std::rotate(links.begin(), first, links.end());
  std::vector<CycleLink> merged;
  for (const CycleLink& link : links) {
    if (!merged.empty() && !says_so(link) && merged.back().kind == link.kind) {
      merged.back().waits_for = link.waits_for;
    } else {
      merged.push_back(link);
    }
  }
  return merged;
}

}  // namespace

LaunchGraph make_launch_graph(const Workload& workload, HardwareQueues hardware_queues) {
  LaunchGraph result;
  result.predecessors = find_predecessors(workload);
  result.host_order = make_host_order(workload, result.predecessors);
  put_cooperative_in_order(workload, result);
  result.hardware_queues = std::move(hardware_queues);
  if (result.hardware_queues.start_after_end) put_hardware_queues_in_order(workload, result);
  result.successors = waiters(result, Until::ended, workload.launches.size());
  if (std::any_of(workload.launches.begin(), workload.launches.end(),
                  [](const Launch& launch) { return !launch.after_triggers.empty(); }) ||
      std::any_of(workload.queues.begin(), workload.queues.end(),
                  [](const Queue& queue) { return queue.waits_for_triggers; }))
    result.trigger_waiters = waiters(result, Until::triggered, workload.launches.size());
  if (!result.hardware_queues.start_after_end) result.starts = make_start_order(workload, result);
  if (auto order = order_milestones(workload, result)) {
    result.order = std::move(*order);
    return result;
  }
  const Milestones milestones(result);
  for (const Cycle& cycle : find_cycles(make_graph(workload, result, milestones)))
    result.cycles.push_back(links_of(cycle, workload, result, milestones));
  std::sort(result.cycles.begin(), result.cycles.end(),
            [](const auto& a, const auto& b) { return a.front().launch < b.front().launch; });
  return result;
}

}  // namespace gdsim
