#include <gdsim/analysis/run_view.hpp>
#include <gdsim/compile/compile.hpp>
#include <gdsim/host/host_costs.hpp>
#include <gdsim/workload/launch_graph.hpp>
#include "support/builders.hpp"
#include "support/scenarios.hpp"

#include <catch2/catch.hpp>

// Hardware queues start launches in order: a launch without dependencies waits behind one that waits.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

DeviceSpec with_queues(std::optional<std::uint64_t> count) {
  return with(one_core(), [&](DeviceSpec& device) { device.hardware_queues = HardwareQueueRule{count}; });
}

/// a of 10 ps in queue 0, b in queue 1 after it, c in queue 2, which depends on nothing; each has one thread.
Workload three_launches(std::uint32_t queue_of_c) {
  const Kernel kernel = kernel_of(1, 1, {compute(ps(10))});
  Workload workload = workload_of({kernel, kernel, kernel});
  workload.queues.resize(9);
  for (std::size_t i = 0; i < workload.queues.size(); ++i) workload.queues[i].name = "q" + std::to_string(i);
  workload.launches[0].queue = QueueId{0};
  workload.launches[1].queue = QueueId{1};
  workload.launches[1].after = {launch(0)};
  workload.launches[2].queue = QueueId{queue_of_c};
  return workload;
}

SimTime begin_of_last(const DeviceSpec& device, const Workload& workload) {
  return *run_fully(device, workload).record.launches.back().begun;
}

}  // namespace

TEST_CASE("an independent launch behind one that waits does not begin, in one hardware queue") {
  CHECK(begin_of_last(with_queues(8), three_launches(1)) == at(ps(10)));
  CHECK(begin_of_last(with_queues(8), three_launches(2)) == at(ps(0)));
  CHECK(begin_of_last(one_core(), three_launches(1)) == at(ps(0)));
}

TEST_CASE("queues are mapped to hardware queues in turn, or to the one that they name") {
  CHECK(begin_of_last(with_queues(7), three_launches(8)) == at(ps(10)));  // 8 mod 7 is 1
  CHECK(begin_of_last(with_queues(8), three_launches(8)) == at(ps(0)));
  CHECK(begin_of_last(with_queues(std::nullopt), three_launches(8)) == at(ps(0)));
  CHECK(begin_of_last(with_queues(std::nullopt), three_launches(1)) == at(ps(10)));
  Workload named = three_launches(8);
  named.queues[8].hardware = 1;
  CHECK(begin_of_last(with_queues(8), named) == at(ps(10)));
  named.queues[1].hardware = 5;
  CHECK(begin_of_last(with_queues(8), named) == at(ps(0)));
  CHECK(hardware_queues_of(named, with_queues(8), {}).numbers == std::vector<std::uint32_t>{0, 5, 2, 3, 4, 5, 6, 7, 1});
}

TEST_CASE("kernels of an Arc A380 run one after the other, in one queue, two or none, but not on disjoint cores") {
  const auto duration = [](const std::string& queues, const std::string& launches) {
    const ReadText read = read_text(
        "scenario: s\ndevice: arc-a380\nkernels:\n  k: {global: 256, local: 256, sub_group: 16, variation: none, "
        "program: [{compute: 200 us}]}\nqueues: " +
        queues + "\nlaunches: [" + launches + "]\n");
    REQUIRE(read.problems.empty());
    const Scenario& scenario = read.scenario();
    return run_fully(scenario.device, scenario.workload).record.active();
  };
  const std::string in_two = "{kernel: k, queue: a}, {kernel: k, queue: b}";
  CHECK(duration("{a: {}, b: {}}", in_two) == us(400));
  CHECK(duration("{a: {cores: 0-3}, b: {cores: 4-7}}", in_two) == us(200));
  CHECK(duration("{a: {order: out_of_order}}", "{kernel: k, queue: a}, {kernel: k, queue: a}") == us(400));
  CHECK(duration("{a: {}}", "{kernel: k}, {kernel: k}") == us(400));
}

TEST_CASE("launches in no queue start behind others if there is one hardware queue alone, and copies wait for none") {
  Workload workload = three_launches(1);
  workload.launches[2].queue.reset();
  CHECK(begin_of_last(with_queues(2), workload) == at(ps(0)));
  CHECK(begin_of_last(with_queues(1), workload) == at(ps(10)));
  workload.launches[2].as_kernel().priority = 1;
  DeviceSpec obeys = with_queues(1);
  obeys.dispatch.kernel_choice = KernelChoice::priority;
  CHECK(begin_of_last(obeys, workload) == at(ps(0)));
  workload = three_launches(1);
  workload.launches[2].work = Copy{Bytes{10}, CopyDirection::host_to_device};
  DeviceSpec device = with_queues(1);
  device.copy = CopyRule{1, {1'000'000'000'000}, {}};
  CHECK(run_fully(device, workload).record.launches[2].first_dispatched == at(ps(0)));
}

TEST_CASE("the order is that of submission, not that of the file") {
  Workload workload = three_launches(1);
  workload.launches[1].at = at(ps(3));
  CHECK(begin_of_last(with_queues(8), workload) == at(ps(0)));  // c is submitted first
}

TEST_CASE("a launch waits for the begin of the one before it, not for its end, and says for which queue") {
  Workload workload = three_launches(1);
  workload.kernels[1].program = {compute(ps(100))};
  const FullRun run = run_fully(with_queues(8), workload);
  const LaunchRecord& last = run.record.launches[2];
  CHECK(last.ready == at(ps(10)));
  CHECK(last.ended == at(ps(20)));
  CHECK(last.waited[WaitReason::hardware_queue] == ps(10));
  CHECK(last.waited[WaitReason::predecessors] == ps(0));
  CHECK(run.record.launches[1].waited[WaitReason::predecessors] == ps(10));
  CHECK(run.record.critical_path == std::vector<LaunchId>{launch(0), launch(1)});
}

TEST_CASE("a launch that lacks room holds up those behind it in its hardware queue alone") {
  Workload workload = workload_of(
      {kernel_of(1, 6, {compute(ps(10))}), kernel_of(1, 4, {compute(ps(10))}), kernel_of(1, 1, {compute(ps(10))})});
  workload.queues = {{"q", QueueOrder::out_of_order, {}}, {"r", QueueOrder::out_of_order, {}}};
  for (Launch& launch : workload.launches) launch.queue = QueueId{0};
  DeviceSpec device = with_queues(8);
  device.dispatch.kernel_choice = KernelChoice::skip_blocked;
  const FullRun run = run_fully(device, workload);
  CHECK(run.record.launches[2].first_dispatched == at(ps(10)));
  CHECK(run.record.launches[2].waited[WaitReason::hardware_queue] == ps(10));
  workload.launches[2].queue = QueueId{1};
  CHECK(begin_of_last(device, workload) == at(ps(0)));
}

TEST_CASE("the critical path leads through the begin of a launch whose end does not matter") {
  Workload workload = three_launches(1);
  workload.kernels[2].program = {compute(ps(100))};
  const FullRun run = run_fully(with_queues(8), workload);
  CHECK(run.record.duration() == ps(110));
  CHECK(run.record.critical_path == std::vector<LaunchId>{launch(0), launch(1), launch(2)});
  CHECK(run.record.launches[1].slack == ps(0));
}

TEST_CASE("no launch starts in a hardware queue before one that it waits for, whenever they are submitted") {
  Workload workload = three_launches(1);
  workload.launches[1].after = {launch(2)};
  const FullRun run = run_fully(with_queues(8), workload);
  CHECK(run.record.launches[2].begun == at(ps(0)));
  CHECK(run.record.launches[1].begun == at(ps(10)));
  // In an in-order queue, a later time delays the launches behind it, but not earlier launches of other queues.
  Workload timed = three_launches(0);
  timed.queues[0].order = QueueOrder::in_order;
  timed.launches[1] = timed.launches[2];
  timed.launches[1].at = at(ps(50));
  CHECK(begin_of_last(with_queues(8), timed) == at(ps(60)));
  timed.launches.push_back(three_launches(8).launches[2]);
  timed.launches.back().at = at(ps(20));
  CHECK(begin_of_last(with_queues(8), timed) == at(ps(20)));
}

TEST_CASE("launches that wait for each other by the order of a hardware queue are refused, with a way out") {
  // The host waits for c before it submits d, for which b waits; c starts after b.
  Workload workload = three_launches(1);
  workload.launches.push_back(workload.launches[2]);
  const char* names[] = {"a", "b", "c", "d"};
  for (std::size_t i = 0; i < 4; ++i) workload.launches[i].name = names[i];
  workload.launches[1].after = {launch(0)};
  workload.launches[0].at = at(ps(20));
  workload.launches[3].queue.reset();
  workload.launches[3].host_waits = {launch(2)};
  workload.launches[3].at = at(ps(10));
  CHECK(can_run(one_core(), one_core().dispatch, workload));
  const DeviceSpec device = with_queues(8);
  const Compilation refused = compile(device, device.dispatch, workload);
  REQUIRE(refused.issues().size() == 1);
  CHECK(
      refused.issues()[0].message ==
      "these launches wait for each other in a cycle: b comes after a (after:), the host submits a behind d (by at:), "
      "the host submits d once c has ended (wait:), c starts behind b (their hardware queue is the same); give one "
      "of them another queue, or let launches start in any order, as in `hardware_queues: {starts: any_order}` of "
      "the device");
}

TEST_CASE("a launch that waits for its own trigger is refused") {
  Workload workload = workload_of({kernel_of(1, 1, {compute(ps(10))})});
  workload.launches[0].name = "b";
  workload.launches[0].after_triggers = {launch(0)};
  const DeviceSpec device = one_core();
  const Compilation refused = compile(device, device.dispatch, workload);
  REQUIRE(refused.issues().size() == 1);
  CHECK(refused.issues()[0].message == "these launches wait for each other in a cycle: b comes after b (after:)");
}

TEST_CASE("a queue names a hardware queue that the device has") {
  Workload workload = three_launches(1);
  workload.queues[3].hardware = 8;
  const DeviceSpec device = with_queues(8);
  const Compilation refused = compile(device, device.dispatch, workload);
  REQUIRE(refused.issues().size() == 1);
  CHECK(refused.issues()[0].path == "queues[3].hardware");
  CHECK(refused.issues()[0].message == "there is no hardware queue 8; " + device.id + " has 8, numbered from 0");
  CHECK(compile(one_core(), one_core().dispatch, workload).issues().size() == 1);
}

TEST_CASE("after_end: a launch waits for the end of the one before it in its hardware queue, and for the gap") {
  Workload workload = three_launches(1);
  workload.kernels[1].program = {compute(ps(100))};
  DeviceSpec device = with_queues(8);
  device.hardware_queues->starts = HardwareQueueStart::after_end;
  const FullRun run = run_fully(device, workload);
  const LaunchRecord& last = run.record.launches[2];
  CHECK(last.ready == at(ps(110)));
  CHECK(last.waited[WaitReason::hardware_queue] == ps(110));
  CHECK(last.waited[WaitReason::predecessors] == ps(0));
  CHECK(run.record.critical_path == std::vector<LaunchId>{launch(0), launch(1), launch(2)});
  device.dependency_gap = ps(4);
  CHECK(begin_of_last(device, workload) == at(ps(118)));  // a, 4 ps, b, 4 ps
  CHECK(begin_of_last(device, three_launches(2)) == at(ps(0)));
}

TEST_CASE("after_end: eight queues on four hardware queues take twice as long as one, on eight no longer") {
  Workload workload;
  workload.kernels = {kernel_of(1, 1, {compute(ps(200))})};
  for (std::uint32_t i = 0; i < 8; ++i) {
    workload.queues.push_back({"q" + std::to_string(i), QueueOrder::in_order, {}});
    Launch one{.name = "k" + std::to_string(i), .work = KernelId{0}};
    one.queue = QueueId{i};
    workload.launches.push_back(one);
  }
  const auto duration = [&](std::uint64_t count, HardwareQueueStart starts) {
    DeviceSpec device = with_queues(count);
    device.hardware_queues->starts = starts;
    return run_fully(device, workload).record.duration();
  };
  CHECK(duration(4, HardwareQueueStart::after_end) == ps(400));
  CHECK(duration(8, HardwareQueueStart::after_end) == ps(200));
  CHECK(duration(1, HardwareQueueStart::after_end) == ps(1600));
  CHECK(duration(4, HardwareQueueStart::in_order) == ps(200));
}
