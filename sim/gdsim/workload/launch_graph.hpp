#pragma once

#include <gdsim/workload/launch.hpp>

#include <vector>

namespace gdsim {

/// Which launches wait for which.
struct LaunchGraph {
  std::vector<std::vector<LaunchId>> successors;  ///< by launch: who waits for it
  std::vector<LaunchId> circle;  ///< launches that wait for each other in turn; empty in a usable graph
};

LaunchGraph make_launch_graph(const std::vector<Launch>& launches);

}  // namespace gdsim
