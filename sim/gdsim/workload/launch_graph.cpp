#include <gdsim/workload/launch_graph.hpp>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/depth_first_search.hpp>

#include <algorithm>
#include <cstdint>

namespace gdsim {
namespace {

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
using Vertex = boost::graph_traits<Graph>::vertex_descriptor;

/// Depth-first search calls this for every edge; the first edge back into the current path closes a circle.
class CircleFinder : public boost::dfs_visitor<> {
 public:
  CircleFinder(std::vector<Vertex>& path, std::vector<LaunchId>& circle) : path_(path), circle_(circle) {}

  void discover_vertex(Vertex vertex, const Graph&) { path_.push_back(vertex); }
  void finish_vertex(Vertex, const Graph&) { path_.pop_back(); }
  template <class Edge>
  void back_edge(Edge edge, const Graph& graph) {
    if (!circle_.empty()) return;
    const auto first = std::find(path_.begin(), path_.end(), boost::target(edge, graph));
    for (auto vertex = first; vertex != path_.end(); ++vertex) circle_.push_back(static_cast<LaunchId>(*vertex));
  }

 private:
  std::vector<Vertex>& path_;
  std::vector<LaunchId>& circle_;
};

std::vector<LaunchId> find_circle(const Graph& graph) {
  std::vector<Vertex> path;
  std::vector<LaunchId> circle;
  boost::depth_first_search(graph, boost::visitor(CircleFinder(path, circle)));
  return circle;
}

}  // namespace

LaunchGraph make_launch_graph(const std::vector<Launch>& launches) {
  Graph graph(launches.size());
  LaunchGraph result;
  result.successors.resize(launches.size());
  for (std::size_t i = 0; i < launches.size(); ++i)
    for (const LaunchId before : launches[i].after) {
      boost::add_edge(index_of(before), i, graph);
      result.successors[index_of(before)].push_back(static_cast<LaunchId>(i));
    }
  result.circle = find_circle(graph);
  return result;
}

}  // namespace gdsim
