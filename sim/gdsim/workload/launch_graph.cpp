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

/// Depth-first search calls this for every vertex and edge; an edge back into the current path closes a circle.
class Walk : public boost::dfs_visitor<> {
 public:
  Walk(std::vector<Vertex>& finished, bool& has_circle) : finished_(finished), has_circle_(has_circle) {}

  void finish_vertex(Vertex vertex, const Graph&) { finished_.push_back(vertex); }
  template <class Edge>
  void back_edge(Edge, const Graph&) {
    has_circle_ = true;
  }

 private:
  std::vector<Vertex>& finished_;
  bool& has_circle_;
};

/// Each vertex waits for the one before it, and the first for the last.
using Circle = std::vector<Vertex>;

/// Finds the first circle in each set of vertices that reach each other.
class CircleWalk : public boost::dfs_visitor<> {
 public:
  CircleWalk(const std::vector<std::size_t>& components, std::vector<Vertex>& path, std::vector<Circle>& circles)
      : components_(components), path_(path), circles_(circles) {}

  void discover_vertex(Vertex vertex, const Graph&) { path_.push_back(vertex); }
  void finish_vertex(Vertex, const Graph&) { path_.pop_back(); }
  template <class Edge>
  void back_edge(Edge edge, const Graph& graph) {
    const Vertex first = boost::target(edge, graph);
    if (circles_[components_[first]].empty())
      circles_[components_[first]].assign(std::find(path_.begin(), path_.end(), first), path_.end());
  }

 private:
  const std::vector<std::size_t>& components_;  ///< by vertex
  std::vector<Vertex>& path_;
  std::vector<Circle>& circles_;  ///< by component; empty if there is none
};

std::vector<Circle> find_circles(const Graph& graph) {
  std::vector<std::size_t> components(boost::num_vertices(graph));
  std::vector<Circle> circles(boost::strong_components(
      graph, boost::make_iterator_property_map(components.begin(), boost::get(boost::vertex_index, graph))));
  std::vector<Vertex> path;
  boost::depth_first_search(graph, boost::visitor(CircleWalk(components, path, circles)));
  std::erase_if(circles, [](const Circle& circle) { return circle.empty(); });
  return circles;
}

/// Each predecessor once, with the first of its causes in the order of Cause.
void keep_each_once(std::vector<Dependency>& found) {
  const auto rank = [](const Dependency& d) { return std::tuple(d.before, d.cause, d.buffer); };
  std::sort(found.begin(), found.end(), [&](const Dependency& a, const Dependency& b) { return rank(a) < rank(b); });
  const auto same = [](const Dependency& a, const Dependency& b) { return a.before == b.before; };
  found.erase(std::unique(found.begin(), found.end(), same), found.end());
}

Predecessors find_predecessors(const Workload& workload) {
  Predecessors predecessors(workload.launches.size());
  std::vector<std::optional<LaunchId>> last_in_queue(workload.queues.size());
  BufferHazards hazards(workload.buffers.size());
  for (std::size_t i = 0; i < workload.launches.size(); ++i) {
    const Launch& launch = workload.launches[i];
    const auto id = static_cast<LaunchId>(i);
    std::vector<Dependency>& found = predecessors[i];
    for (const LaunchId before : launch.after) found.push_back({before, Cause::after});
    if (launch.queue && workload.queues[index_of(*launch.queue)].order == QueueOrder::in_order)
      if (const auto before = std::exchange(last_in_queue[index_of(*launch.queue)], id))
        found.push_back({*before, Cause::queue});
    hazards.add(id, launch, found);
    keep_each_once(found);
  }
  return predecessors;
}

/// The host submits one launch after the other, each after those for which it waits.
void add_host_edges(const Workload& workload, const HostOrder& order, Graph& graph) {
  std::optional<LaunchId> last;
  for (const LaunchId id : order.launches) {
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
  const bool waits = std::any_of(workload.launches.begin(), workload.launches.end(),
                                 [](const Launch& launch) { return !launch.host_waits.empty(); });
  if (waits) add_host_edges(workload, found.host, graph);
  return graph;
}

/// Why `to` waits for `from`; nothing if they are moments of one launch in their natural order.
std::optional<CircleLink> link_of(Vertex from, Vertex to, const Workload& workload, const LaunchGraph& found) {
  CircleLink link{launch_of(to), launch_of(from), CircleLink::Kind::parent, {}};
  const bool is_of_end = to == end_of(link.launch);
  if (from == submission_of(link.waits_for)) {
    if (is_of_end) return std::nullopt;
    if (workload.launches[index_of(link.launch)].parent() == nullptr) link.kind = CircleLink::Kind::host_order;
  } else if (!is_of_end) {
    link.kind = CircleLink::Kind::host_wait;
  } else {
    for (const Dependency& dependency : found.predecessors[index_of(link.launch)])
      if (dependency.before == link.waits_for) link.dependency = dependency;
    if (link.dependency) link.kind = CircleLink::Kind::dependency;
  }
  return link;
}

/// The links of a circle of vertices, of which each waits for the one before it. What the host submits in a row is one
/// link.
std::vector<CircleLink> links_of(const std::vector<Vertex>& vertices, const Workload& workload,
                                 const LaunchGraph& found) {
  std::vector<CircleLink> links;
  const auto says_so = [](const CircleLink& link) { return link.kind != CircleLink::Kind::host_order; };
  for (std::size_t i = vertices.size(); i-- > 0;)
    if (const auto link = link_of(vertices[i], vertices[(i + 1) % vertices.size()], workload, found))
      links.push_back(*link);
  const auto first = std::min_element(links.begin(), links.end(), [&](const CircleLink& a, const CircleLink& b) {
    return std::tuple(!says_so(a), a.launch) < std::tuple(!says_so(b), b.launch);
  });
  std::rotate(links.begin(), first, links.end());
  std::vector<CircleLink> merged;
  for (const CircleLink& link : links) {
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
  result.successors.resize(workload.launches.size());
  for (std::size_t i = 0; i < workload.launches.size(); ++i)
    for (const Dependency& dependency : result.predecessors[i])
      result.successors[index_of(dependency.before)].push_back(static_cast<LaunchId>(i));
  result.host = make_host_order(workload, result.predecessors);
  const Graph graph = make_graph(workload, result);
  std::vector<Vertex> finished;
  bool has_circle = false;
  boost::depth_first_search(graph, boost::visitor(Walk(finished, has_circle)));
  if (has_circle) {
    for (const Circle& circle : find_circles(graph)) result.circles.push_back(links_of(circle, workload, result));
    std::sort(result.circles.begin(), result.circles.end(),
              [](const auto& a, const auto& b) { return a.front().launch < b.front().launch; });
    return result;
  }
  for (auto vertex = finished.rbegin(); vertex != finished.rend(); ++vertex)
    result.order.push_back({launch_of(*vertex), *vertex % 2 == 1 ? Moment::Kind::ended : Moment::Kind::submitted});
  return result;
}

}  // namespace gdsim
