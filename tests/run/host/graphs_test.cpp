#include "support/builders.hpp"

#include <gdsim/compile/compile.hpp>

#include <catch2/catch.hpp>

// Graphs, which the host submits as a whole, and the cost of first launches for the host.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// A chain of `count` kernels of 10 ps in a queue that runs one after the other.
Workload chain(std::size_t count, bool is_graph) {
  Workload workload = workload_of({kernel_of(1, 1, {compute(ps(10))})});
  workload.queues = {{"q", QueueOrder::in_order, {}}};
  workload.queues[0].is_graph = is_graph;
  workload.launches.resize(count, workload.launches[0]);
  for (std::size_t i = 0; i < count; ++i) {
    workload.launches[i].name = "k" + std::to_string(i);
    workload.launches[i].queue = QueueId{0};
  }
  return workload;
}

DeviceSpec slow_host() {
  return with(one_core(), [](DeviceSpec& device) {
    device.submit_overhead = ps(100);
    device.launch_latency = ps(7);
    device.dependency_gap = ps(5);
  });
}

}  // namespace

TEST_CASE("the host pays once for all nodes of a graph") {
  CHECK(run_fully(slow_host(), chain(4, false)).record.end == at(ps(4 * 100 + 7 + 10)));
  CHECK(run_fully(slow_host(), chain(4, true)).record.end == at(ps(100 + 7 + 4 * 10 + 3 * 5)));
}

TEST_CASE("between nodes of a graph lies the gap of graphs") {
  DeviceSpec device = slow_host();
  device.graph_gap = ps(1);
  CHECK(run_fully(device, chain(4, true)).record.end == at(ps(100 + 7 + 4 * 10 + 3 * 1)));
  CHECK(run_fully(device, chain(4, false)).record.end == at(ps(4 * 100 + 7 + 10)));
}

TEST_CASE("a launch behind the first node in the file is submitted behind the whole graph") {
  Workload workload = chain(3, true);
  workload.launches[1].queue.reset();
  const FullRun run = run_fully(slow_host(), workload);
  CHECK(run.record.launches[2].submitted == at(ps(100)));
  CHECK(run.record.launches[1].submitted == at(ps(200)));
}

TEST_CASE("nodes of a graph have the time of its first launch, and none of their own") {
  Workload workload = chain(3, true);
  workload.launches[0].at = at(ps(50));
  const FullRun run = run_fully(slow_host(), workload);
  CHECK(run.record.launches[2].submitted == at(ps(150)));
  CHECK(run.record.launches[2].waited[WaitReason::host] == ps(100));
  workload.launches[2].at = at(ps(60));
  const DeviceSpec device = slow_host();
  const Compilation refused = compile(device, device.dispatch, workload);
  REQUIRE(refused.issues().size() == 1);
  CHECK(refused.issues()[0].path == "launches[2].at");
  CHECK(refused.issues()[0].message ==
        "the host submits the graph 'q' as a whole, with its first launch, 'k0': only that one may have a time");
}

TEST_CASE("the first launch of a kernel costs the host its compilation") {
  Workload workload = chain(3, false);
  workload.kernels[0].jit = ps(1000);
  const FullRun run = run_fully(slow_host(), workload);
  CHECK(run.record.launches[0].submitted == at(ps(1100)));
  CHECK(run.record.launches[1].submitted == at(ps(1200)));
}
