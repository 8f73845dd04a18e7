#include <gdsim/workload/launch_graph.hpp>

#include <gdsim/workload/buffer_hazards.hpp>
#include <gdsim/workload/host_order.hpp>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/depth_first_search.hpp>
#include <boost/graph/strong_components.hpp>

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

namespace gdsim {
namespace {

/// Two vertices for each launch: 2 i is its submission, 2 i + 1 its end.
using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
using Vertex = boost::graph_traits<Graph>::vertex_descriptor;

Vertex submission_of(LaunchId launch) { return 2 * index_of(launch); }
Vertex end_of(LaunchId launch) { return 2 * index_of(launch) + 1; }
LaunchId launch_of(Vertex vertex) { return static_cast<LaunchId>(vertex / 2); }

/// Each vertex waits for the one before it, and the first for the last.
using Cycle = std::vector<Vertex>;

/// Finds the first cycle in each set of vertices that reach each other.
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

/// Each predecessor once, with the first of its causes in the order of Cause.
void keep_each_once(std::vector<Dependency>& found) {
  const auto rank = [](const Dependency& d) { return std::tuple(d.before, d.cause, d.buffer); };
  std::sort(found.begin(), found.end(), [&](const Dependency& a, const Dependency& b) { return rank(a) < rank(b); });
  const auto same = [](const Dependency& a, const Dependency& b) { return a.before == b.before; };
  found.erase(std::unique(found.begin(), found.end(), same), found.end());
}

Predecessors find_predecessors(const Workload& workload) {
  Predecessors predecessors;
  predecessors.reserve(workload.launches.size());
  std::vector<Dependency> found;
  std::vector<std::optional<LaunchId>> last_in_queue(workload.queues.size());
  BufferHazards hazards(workload.buffers.size());
  for (std::size_t i = 0; i < workload.launches.size(); ++i) {
    const Launch& launch = workload.launches[i];
    const auto id = static_cast<LaunchId>(i);
    found.clear();
    for (const LaunchId before : launch.after) found.push_back({before, Cause::after});
    if (launch.queue && workload.queues[index_of(*launch.queue)].order == QueueOrder::in_order)
      if (const auto before = std::exchange(last_in_queue[index_of(*launch.queue)], id))
        found.push_back({*before, Cause::queue});
    hazards.add(id, launch, found);
    keep_each_once(found);
    predecessors.add(found);
  }
  return predecessors;
}

bool host_waits_somewhere(const Workload& workload) {
  return std::any_of(workload.launches.begin(), workload.launches.end(),
                     [](const Launch& launch) { return !launch.host_waits.empty(); });
}

/// Puts every milestone behind those for which it waits, without a graph in memory: a million launches are usual.
class MilestoneOrder {
 public:
  MilestoneOrder(const Workload& workload, const LaunchGraph& found)
      : launches_(workload.launches), found_(found), waits_for_(2 * launches_.size(), 0) {
    children_ = FlatLists<LaunchId>::collect(launches_.size(), [&](const auto& add) {
      for (std::size_t i = 0; i < launches_.size(); ++i)
        if (const LaunchParent* parent = launches_[i].parent()) add(index_of(parent->launch), static_cast<LaunchId>(i));
    });
    if (host_waits_somewhere(workload)) note_host_order();
    for (std::size_t i = 0; i < launches_.size(); ++i) {
      const auto id = static_cast<LaunchId>(i);
      waits_for_[end_of(id)] += static_cast<std::uint32_t>(1 + found.predecessors[i].size() + children_[i].size());
      if (launches_[i].parent() != nullptr) ++waits_for_[submission_of(id)];
    }
  }

  /// Nothing if some wait for each other.
  std::optional<std::vector<Milestone>> find() {
    order_.reserve(waits_for_.size());
    for (std::size_t i = 0; i < launches_.size(); ++i)
      if (waits_for_[submission_of(static_cast<LaunchId>(i))] == 0) reach(submission_of(static_cast<LaunchId>(i)));
    for (std::size_t i = 0; i < order_.size(); ++i) leave(order_[i]);
    if (order_.size() < waits_for_.size()) return std::nullopt;
    return std::move(order_);
  }

 private:
  /// The host submits one launch after the other, each after those for which it waits.
  void note_host_order() {
    next_on_host_.resize(launches_.size());
    std::optional<LaunchId> last;
    for (const LaunchId id : found_.host_order) {
      if (last) next_on_host_[index_of(*last)] = id;
      waits_for_[submission_of(id)] +=
          static_cast<std::uint32_t>((last ? 1 : 0) + launches_[index_of(id)].host_waits.size());
      last = id;
    }
    host_waiters_ = FlatLists<LaunchId>::collect(launches_.size(), [&](const auto& add) {
      for (const LaunchId id : found_.host_order)
        for (const LaunchId before : launches_[index_of(id)].host_waits) add(index_of(before), id);
    });
  }

  void reach(Vertex vertex) {
    order_.emplace_back(launch_of(vertex), vertex % 2 == 1 ? Milestone::Kind::ended : Milestone::Kind::submitted);
  }
  void count_down(Vertex vertex) {
    if (--waits_for_[vertex] == 0) reach(vertex);
  }

  /// Whatever waits for this milestone no longer does.
  void leave(Milestone milestone) {
    const std::size_t i = index_of(milestone.launch);
    if (milestone.kind == Milestone::Kind::submitted) {
      for (const LaunchId child : children_[i]) count_down(submission_of(child));
      if (!next_on_host_.empty() && next_on_host_[i]) count_down(submission_of(*next_on_host_[i]));
      count_down(end_of(milestone.launch));
      return;
    }
    for (const LaunchId next : found_.successors[i]) count_down(end_of(next));
    if (const LaunchParent* parent = launches_[i].parent()) count_down(end_of(parent->launch));
    if (host_waiters_.size() > 0)
      for (const LaunchId waiter : host_waiters_[i]) count_down(submission_of(waiter));
  }

  const std::vector<Launch>& launches_;
  const LaunchGraph& found_;
  std::vector<std::uint32_t> waits_for_;               ///< by vertex: milestones that must come before
  FlatLists<LaunchId> children_;                       ///< by launch
  std::vector<std::optional<LaunchId>> next_on_host_;  ///< by launch; empty if the host never waits
  FlatLists<LaunchId> host_waiters_;                   ///< by launch: what the host submits after its end; or empty
  std::vector<Milestone> order_;
};

/// The host submits one launch after the other, each after those for which it waits.
void add_host_edges(const Workload& workload, const std::vector<LaunchId>& order, Graph& graph) {
  std::optional<LaunchId> last;
  for (const LaunchId id : order) {
    if (last) boost::add_edge(submission_of(*last), submission_of(id), graph);
    for (const LaunchId before : workload.launches[index_of(id)].host_waits)
      boost::add_edge(end_of(before), submission_of(id), graph);
    last = id;
  }
}

Graph make_graph(const Workload& workload, const LaunchGraph& found) {
  Graph graph(2 * workload.launches.size());
  for (std::size_t i = 0; i < workload.launches.size(); ++i) {
    const auto id = static_cast<LaunchId>(i);
    boost::add_edge(submission_of(id), end_of(id), graph);
    for (const Dependency& dependency : found.predecessors[i])
      boost::add_edge(end_of(dependency.before), end_of(id), graph);
    if (const LaunchParent* parent = workload.launches[i].parent()) {
      boost::add_edge(submission_of(parent->launch), submission_of(id), graph);
      boost::add_edge(end_of(id), end_of(parent->launch), graph);
    }
  }
  if (host_waits_somewhere(workload)) add_host_edges(workload, found.host_order, graph);
  return graph;
}

/// Why `to` waits for `from`; nothing if they are milestones of one launch in their natural order.
std::optional<CycleLink> link_of(Vertex from, Vertex to, const Workload& workload, const LaunchGraph& found) {
  CycleLink link{launch_of(to), launch_of(from), CycleLink::Kind::parent, {}};
  const bool is_of_end = to == end_of(link.launch);
  if (from == submission_of(link.waits_for)) {
    if (is_of_end) return std::nullopt;
    if (workload.launches[index_of(link.launch)].parent() == nullptr) link.kind = CycleLink::Kind::host_order;
  } else if (!is_of_end) {
    link.kind = CycleLink::Kind::host_wait;
  } else {
    for (const Dependency& dependency : found.predecessors[index_of(link.launch)])
      if (dependency.before == link.waits_for) link.dependency = dependency;
    if (link.dependency) link.kind = CycleLink::Kind::dependency;
  }
  return link;
}

/// The links of a cycle of vertices, of which each waits for the one before it. What the host submits in a row is one
/// link.
std::vector<CycleLink> links_of(const std::vector<Vertex>& vertices, const Workload& workload,
                                const LaunchGraph& found) {
  std::vector<CycleLink> links;
  const auto says_so = [](const CycleLink& link) { return link.kind != CycleLink::Kind::host_order; };
  for (std::size_t i = vertices.size(); i-- > 0;)
    if (const auto link = link_of(vertices[i], vertices[(i + 1) % vertices.size()], workload, found))
      links.push_back(*link);
  const auto first = std::min_element(links.begin(), links.end(), [&](const CycleLink& a, const CycleLink& b) {
    return std::tuple(!says_so(a), a.launch) < std::tuple(!says_so(b), b.launch);
  });
  std::rotate(links.begin(), first, links.end());
  std::vector<CycleLink> merged;
  for (const CycleLink& link : links) {
    if (!merged.empty() && !says_so(merged.back()) && !says_so(link)) {
      merged.back().waits_for = link.waits_for;
    } else {
      merged.push_back(link);
    }
  }
  return merged;
}

}  // namespace

LaunchGraph make_launch_graph(const Workload& workload) {
  LaunchGraph result;
  result.predecessors = find_predecessors(workload);
  result.successors = FlatLists<LaunchId>::collect(workload.launches.size(), [&](const auto& add) {
    for (std::size_t i = 0; i < workload.launches.size(); ++i)
      for (const Dependency& dependency : result.predecessors[i])
        add(index_of(dependency.before), static_cast<LaunchId>(i));
  });
  result.host_order = make_host_order(workload, result.predecessors);
  if (auto order = MilestoneOrder(workload, result).find()) {
    result.order = std::move(*order);
    return result;
  }
  for (const Cycle& cycle : find_cycles(make_graph(workload, result)))
    result.cycles.push_back(links_of(cycle, workload, result));
  std::sort(result.cycles.begin(), result.cycles.end(),
            [](const auto& a, const auto& b) { return a.front().launch < b.front().launch; });
  return result;
}

}  // namespace gdsim
