#include <gdsim/workload/launch_graph.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;

namespace {
/// Launches by whom they wait for.
std::vector<Launch> launches_after(const std::vector<std::vector<std::uint32_t>>& after) {
  std::vector<Launch> launches(after.size());
  for (std::size_t i = 0; i < after.size(); ++i)
    for (const std::uint32_t before : after[i]) launches[i].after.push_back(LaunchId{before});
  return launches;
}
}  // namespace

TEST_CASE("a launch knows who waits for it") {
  const LaunchGraph graph = make_launch_graph(launches_after({{}, {0}, {0, 1}}));
  CHECK(graph.circle.empty());
  CHECK(graph.successors[0] == std::vector<LaunchId>{LaunchId{1}, LaunchId{2}});
  CHECK(graph.successors[1] == std::vector<LaunchId>{LaunchId{2}});
  CHECK(graph.successors[2].empty());
}

TEST_CASE("launches that wait for each other are named as a circle") {
  const LaunchGraph graph = make_launch_graph(launches_after({{}, {3}, {1}, {2, 0}}));
  CHECK(graph.circle.size() == 3);
  CHECK(std::find(graph.circle.begin(), graph.circle.end(), LaunchId{0}) == graph.circle.end());
}

TEST_CASE("a launch that waits for itself is a circle of one") {
  CHECK(make_launch_graph(launches_after({{0}})).circle == std::vector<LaunchId>{LaunchId{0}});
}

TEST_CASE("a long chain is no problem") {
  std::vector<std::vector<std::uint32_t>> after(200'000);
  for (std::uint32_t i = 1; i < after.size(); ++i) after[i] = {i - 1};
  CHECK(make_launch_graph(launches_after(after)).circle.empty());
}
