#include "support/builders.hpp"

#include <gdsim/host/host_costs.hpp>

#include <catch2/catch.hpp>

#include <array>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

DeviceSpec slow_host() {
  return with(one_core(), [](DeviceSpec& device) {
    device.submit_overhead = ps(100);
    device.dependency_gap = ps(5);
    device.graph_gap = ps(2);
  });
}

/// `count` launches of one kernel, in a queue.
Workload queued(std::size_t count, bool is_graph) {
  Workload workload = workload_of({kernel_of(1, 1, {compute(ps(10))})});
  workload.queues = {{"q", QueueOrder::in_order, {}}};
  workload.queues[0].is_graph = is_graph;
  workload.launches.resize(count, workload.launches[0]);
  for (Launch& one : workload.launches) one.queue = QueueId{0};
  return workload;
}

/// What each launch costs its host, in picoseconds.
std::vector<std::int64_t> costs_of(const Workload& workload, std::span<const std::uint32_t> hosts = {}) {
  const HostCosts costs(slow_host(), workload, make_launch_graph(workload), hosts);
  std::vector<std::int64_t> all;
  for (std::uint32_t i = 0; i < workload.launches.size(); ++i) all.push_back(costs.cost_of(launch(i)).count);
  return all;
}

using Costs = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("every launch costs the host its overhead, the nodes of a graph cost it once") {
  CHECK(costs_of(queued(3, false)) == Costs{100, 100, 100});
  CHECK(costs_of(queued(3, true)) == Costs{100, 0, 0});
}

TEST_CASE("the first launch of a kernel costs the host its compilation on top") {
  Workload workload = queued(3, true);
  workload.kernels[0].jit = ps(40);
  CHECK(costs_of(workload) == Costs{140, 0, 0});
}

TEST_CASE("each host compiles for itself, and submits a graph for itself") {
  Workload workload = queued(4, true);
  workload.kernels[0].jit = ps(40);
  CHECK(costs_of(workload, std::array<std::uint32_t, 4>{0, 1, 0, 1}) == Costs{140, 140, 0, 0});
}

TEST_CASE("the gap between nodes of one graph is that of graphs") {
  Workload workload = queued(3, true);
  workload.queues.push_back({"other", QueueOrder::in_order, {}});
  workload.launches[2].queue = QueueId{1};
  CHECK(dependency_gap(slow_host(), workload, launch(0), launch(1)) == ps(2));
  CHECK(dependency_gap(slow_host(), workload, launch(1), launch(2)) == ps(5));
}
