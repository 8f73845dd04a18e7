#include "support/builders.hpp"

#include <gdsim/compile/compile.hpp>

#include <catch2/catch.hpp>

// Programmatic dependent launches: a launch begins during the last wave of another, once all work-groups of the other
// have triggered.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// One core of 8 contexts. `first` has 2 work-groups of one thread, `second` comes after its trigger.
Workload pair_of(Program first, Program second) {
  Workload workload = workload_of({kernel_of(2, 1, std::move(first)), kernel_of(1, 1, std::move(second))});
  workload.launches[1].after_triggers = {launch(0)};
  return workload;
}

const LaunchRecord& second(const FullRun& run) { return run.record.launches[1]; }

}  // namespace

TEST_CASE("a launch begins when all work-groups of the one before it have triggered, and its wait ends with that one") {
  const FullRun run = run_fully(one_core(), pair_of({compute(ps(10)), Trigger{}, compute(ps(90))},
                                                    {compute(ps(20)), WaitDependencies{}, compute(ps(5))}));
  CHECK(second(run).ready == at(ps(10)));
  CHECK(second(run).begun == at(ps(10)));
  CHECK(second(run).ended == at(ps(105)));
  CHECK(run.record.triggered[0] == at(ps(10)));
  CHECK(run.record.critical_path == std::vector<LaunchId>{launch(0), launch(1)});
}

TEST_CASE("a work-group that never triggers counts when it ends") {
  const Workload workload = pair_of({compute(ps(10))}, {compute(ps(20)), WaitDependencies{}, compute(ps(5))});
  const FullRun run = run_fully(one_core(), workload);
  CHECK(second(run).begun == at(ps(10)));
  CHECK(second(run).ended == at(ps(35)));
}

TEST_CASE("the trigger of the last work-group counts, whichever thread of it comes first") {
  Workload workload = workload_of({kernel_of(3, 4, {Only{{{2, 2}}, {compute(ps(5)), Trigger{}}}, compute(ps(40))}),
                                   kernel_of(1, 1, {compute(ps(1))})});
  workload.launches[1].after_triggers = {launch(0)};
  const FullRun run = run_fully(one_core(), workload);
  // Two fit at once and trigger at 5. The third takes the contexts that their threads release at 40, and triggers 5
  // later.
  CHECK(second(run).begun == at(ps(45)));
}

TEST_CASE("a launch ends no earlier than those for whose triggers it waited") {
  const FullRun run = run_fully(one_core(), pair_of({Trigger{}, compute(ps(100))}, {compute(ps(20))}));
  CHECK(second(run).begun == at(ps(0)));
  CHECK(second(run).ended == at(ps(100)));
}

TEST_CASE("in a queue that runs one launch after the other, a trigger takes the place of the end") {
  Workload workload = pair_of({Trigger{}, compute(ps(100))}, {compute(ps(20)), WaitDependencies{}});
  workload.queues = {{"q", QueueOrder::in_order, {}}};
  workload.launches.push_back(workload.launches[1]);
  workload.launches[2].after_triggers = {};
  for (Launch& one : workload.launches) one.queue = QueueId{0};
  const FullRun run = run_fully(one_core(), workload);
  CHECK(second(run).begun == at(ps(0)));
  CHECK(run.record.launches[2].begun == at(ps(100)));
}

TEST_CASE("a buffer is waited for in spite of a trigger, unless the program waits for the launches before it") {
  Workload workload = pair_of({Trigger{}, compute(ps(90))}, {compute(ps(10))});
  workload.buffers = {"x"};
  workload.launches[0].writes = {BufferId{0}};
  workload.launches[1].reads = {BufferId{0}};
  CHECK(second(run_fully(one_core(), workload)).begun == at(ps(90)));
  workload.kernels[1].program.insert(workload.kernels[1].program.begin(), WaitDependencies{});
  CHECK(second(run_fully(one_core(), workload)).begun == at(ps(0)));
}

TEST_CASE("all launches of a queue can wait for the triggers of those before them") {
  Workload workload = workload_of({kernel_of(1, 1, {Trigger{}, compute(ps(30)), WaitDependencies{}, compute(ps(10))})});
  workload.queues = {{"q", QueueOrder::in_order, {}}};
  workload.launches.resize(4, workload.launches[0]);
  for (Launch& one : workload.launches) one.queue = QueueId{0};
  CHECK(run_fully(one_core(), workload).record.duration() == ps(4 * 40));
  workload.queues[0].waits_for_triggers = true;
  CHECK(run_fully(one_core(), workload).record.duration() == ps(30 + 4 * 10));
}

TEST_CASE("the wait of a launch that came after no trigger ends at once") {
  const FullRun run = run_fully(one_core(), workload_of({kernel_of(1, 1, {WaitDependencies{}, compute(ps(7))})}));
  CHECK(run.record.duration() == ps(7));
}

TEST_CASE("a gap lies between the end of a launch and the next, none behind a trigger") {
  DeviceSpec device = one_core();
  device.dependency_gap = ps(50);
  Workload workload = pair_of({Trigger{}, compute(ps(100))}, {WaitDependencies{}, compute(ps(20))});
  CHECK(run_fully(device, workload).record.duration() == ps(120));
  workload.launches[1].after_triggers = {};
  workload.launches[1].after = {launch(0)};
  CHECK(run_fully(device, workload).record.duration() == ps(170));
}

TEST_CASE("copies trigger nothing") {
  Workload workload = pair_of({compute(ps(1))}, {compute(ps(1))});
  workload.launches[0].name = "in";
  workload.launches[0].work = Copy{Bytes{10}, CopyDirection::host_to_device};
  const DeviceSpec device = with(one_core(), [](DeviceSpec& d) { d.copy = CopyRule{1, {1'000'000'000'000}, {}}; });
  const Compilation refused = compile(device, device.dispatch, workload);
  REQUIRE(refused.issues().size() == 1);
  CHECK(refused.issues()[0].path == "launches[1].after");
  CHECK(refused.issues()[0].message == "'in' is no launch of a kernel by the host: it triggers nothing");
}
