#include "support/builders.hpp"
#include <gdsim/analysis/words.hpp>
#include <gdsim/compile/compile.hpp>
#include <gdsim/workload/launch_graph.hpp>

#include <catch2/catch.hpp>

// Barriers of all work-groups of a launch, and launches that are refused unless all are resident.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// Work-groups of one thread, of which one core holds 8.
Workload grid_of(std::uint64_t groups, Program program) {
  return workload_of({kernel_of(groups, 1, std::move(program))});
}

Step grid_barrier(std::uint64_t cost = 0) { return GridBarrier{picoseconds(cost)}; }

}  // namespace

TEST_CASE("a grid barrier opens for all when the last work-group has arrived, and its cost later") {
  Workload workload = grid_of(8, {compute(ps(10)), grid_barrier(5), compute(ps(20))});
  CHECK(run_fully(one_core(), workload).record.duration() == ps(35));
  workload.kernels[0].variation.factors = {{WorkGroupId{3}, Decimal::whole(4)}};
  CHECK(run_fully(one_core(), workload).record.duration() == ps(40 + 5 + 80));
  CHECK(run_fully(one_core(), grid_of(8, {Loop{100, {compute(ps(10)), grid_barrier(5)}}})).record.duration() ==
        ps(1500));
}

TEST_CASE("only threads that have a grid barrier arrive there") {
  Workload workload =
      workload_of({kernel_of(2, 4, {Only{{{0, 0}}, {compute(ps(10)), grid_barrier()}}, compute(ps(20))})});
  CHECK(run_fully(one_core(), workload).record.duration() == ps(30));
}

TEST_CASE("work-groups that cannot all be resident never get past a grid barrier, and the report says why") {
  const Workload workload = grid_of(12, {compute(ps(10)), grid_barrier()});
  const DeviceSpec device = one_core();
  const FullRun run = run_fully(device, workload);
  REQUIRE(run.record.outcome == Outcome::deadlock);
  REQUIRE(run.record.deadlock.groups.size() == 8);
  CHECK(run.record.deadlock.groups.front().kind == ThreadWait::grid);
  CHECK(run.record.deadlock.launches.front().work_groups_unplaced == 4);
  const LaunchGraph graph = make_launch_graph(workload);
  const std::string text = deadlock_text(RunReport{"", device, device.dispatch, workload, run.record, graph});
  CHECK(text.find("wait at the grid barrier") != std::string::npos);
  CHECK(text.find("it needs all 12 work-groups at once; 4 have no room until one of these ends; with `cooperative: "
                  "true` the launch is refused") != std::string::npos);
}

TEST_CASE("a cooperative launch is refused unless all its work-groups are resident at once") {
  Workload workload = grid_of(12, {compute(ps(10)), grid_barrier()});
  workload.kernels[0].name = "sync";
  workload.launches[0].as_kernel().is_cooperative = true;
  const DeviceSpec device = one_core();
  const Compilation refused = compile(device, device.dispatch, workload);
  REQUIRE(refused.issues().size() == 1);
  CHECK(refused.issues()[0].path == "launches[0].cooperative");
  CHECK(refused.issues()[0].message ==
        "sync has 12 work-groups, of which 8 are resident at once on 1 core, 8 on each; a cooperative launch needs "
        "all of them: 8 work-groups at most");
  workload.kernels[0].range.global = {1, 1, 8 * workload.kernels[0].range.local[2]};
  CHECK(run_fully(device, workload).record.duration() == ps(10));
}

TEST_CASE(
    "cooperative launches run one after the other, whichever their queues, and never share the device in halves") {
  Workload workload = grid_of(6, {compute(ps(10)), grid_barrier(), compute(ps(10))});
  workload.launches[0].name = "a";
  workload.launches[0].as_kernel().is_cooperative = true;
  workload.launches.push_back(workload.launches[0]);
  workload.launches[1].name = "b";
  DeviceSpec device = one_core();  // 8 work-groups at once
  device.dispatch.kernel_choice = KernelChoice::round_robin;
  const FullRun run = run_fully(device, workload);
  CHECK(run.record.outcome == Outcome::completed);
  CHECK(run.record.launches[1].ready == run.record.launches[0].ended);
  CHECK(run.record.duration() == ps(40));
  workload.launches[0].after = {LaunchId{1}};  // the order of dependencies decides
  CHECK(run_fully(device, workload).record.launches[0].ready == run.record.launches[0].ended);
  // If they are not cooperative, each launch holds a part of the core and waits for room for its other work-groups.
  workload.launches[0].after = {};
  for (Launch& launch : workload.launches) launch.as_kernel().is_cooperative = false;
  CHECK(run_fully(device, workload).record.outcome == Outcome::deadlock);
}

TEST_CASE("a cooperative launch counts the cores that it may use") {
  Workload workload = grid_of(9, {compute(ps(10)), grid_barrier()});
  workload.launches[0].as_kernel().is_cooperative = true;
  const DeviceSpec device = small_device();
  CHECK(can_run(device, device.dispatch, workload));
  workload.launches[0].as_kernel().cores = {{core(0), core(0)}};
  CHECK_FALSE(can_run(device, device.dispatch, workload));
}
