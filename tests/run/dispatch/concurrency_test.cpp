#include "support/builders.hpp"
#include <gdsim/workload/launched_kernels.hpp>

#include <catch2/catch.hpp>

// Several launches at once: copies, children, priorities, waits. Times were computed by hand.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

using Cores = std::vector<std::uint32_t>;

/// Copies of these numbers of bytes, in no queue; each is named by its number, as in `c0`.
Workload copies_of(std::initializer_list<std::pair<std::int64_t, CopyDirection>> copies) {
  Workload workload;
  for (const auto& [bytes, direction] : copies) {
    Launch launch;
    launch.name = "c" + std::to_string(workload.launches.size());
    launch.work = Copy{Bytes{bytes}, direction};
    workload.launches.push_back(launch);
  }
  return workload;
}

DeviceSpec copying(std::uint32_t engines) {
  return with(one_core(), [&](DeviceSpec& d) { d.copy = CopyRule{engines, {1'000'000'000'000}, ps(5)}; });
}

constexpr auto kIn = CopyDirection::host_to_device;
constexpr auto kOut = CopyDirection::device_to_host;

Duration waited(const FullRun& run, std::uint32_t id, WaitReason reason) {
  return run.record.launches[id].waited[reason];
}

}  // namespace

TEST_CASE("a copy lasts its latency and its bytes, one at a time on each engine") {
  const FullRun run = run_fully(copying(2), copies_of({{10, kIn}, {20, kIn}, {30, kOut}}));
  CHECK(run.record.launches[0].ended == at(ps(15)));
  CHECK(run.record.launches[1].first_dispatched == at(ps(15)));
  CHECK(run.record.launches[1].ended == at(ps(40)));
  CHECK(run.record.launches[2].ended == at(ps(35)));
  CHECK(waited(run, 1, WaitReason::other_launches) == ps(15));
  CHECK(run.record.first_dispatch == at(ps(0)));
  CHECK(run.record.end == at(ps(40)));
}

TEST_CASE("a single copy engine serves both directions, several take turns with them") {
  const auto copies = copies_of({{10, kIn}, {10, kOut}, {10, kIn}, {10, kOut}, {10, kIn}});
  CHECK(run_fully(copying(1), copies).record.duration() == ps(75));
  CHECK(run_fully(copying(2), copies).record.duration() == ps(45));
  CHECK(run_fully(copying(3), copies).record.duration() == ps(30));  // two for host to device
}

TEST_CASE("a run begins with its first copy and ends with its last, and the device is empty meanwhile") {
  Workload workload = copies_of({{10, kIn}});
  workload.kernels = {kernel_of(1, 3, {compute(ps(10))})};
  Launch kernel;
  kernel.after = {launch(0)};
  workload.launches.push_back(kernel);
  Launch back = workload.launches[0];
  back.after = {launch(1)};
  workload.launches.push_back(back);
  const FullRun run = run_fully(copying(2), workload);
  CHECK(run.record.duration() == ps(40));
  CHECK(phase_threads(run.record) == std::vector<std::uint64_t>{0, 3, 0});
  CHECK(run.timeline.front().time == at(ps(0)));
  CHECK(run.record.critical_path == std::vector<LaunchId>{launch(0), launch(1), launch(2)});
}

TEST_CASE("a priority takes what is released next, and preempts nothing") {
  Workload workload = workload_of({kernel_of(4, 4, {compute(ps(10))}), kernel_of(1, 6, {compute(ps(10))})});
  workload.launches[1].as_kernel().priority = 1;
  workload.launches[1].at = at(ps(3));
  DeviceSpec device = one_core();
  device.dispatch.kernel_choice = KernelChoice::priority;
  const FullRun run = run_fully(device, workload);
  CHECK(run.record.launches[1].first_dispatched == at(ps(10)));
  CHECK(run.work_groups.records_of(launch(0))[1].ended == at(ps(10)));
  CHECK(run.work_groups.records_of(launch(0))[2].first_placed == at(ps(20)));
}

TEST_CASE("a launch has the priority and the cores of its queue, unless it has its own") {
  Workload workload = workload_of({kernel_of(2, 6, {compute(ps(10))}), kernel_of(1, 6, {compute(ps(10))})});
  workload.queues = {{"high", QueueOrder::out_of_order, {{core(1), core(1)}}, 1}};
  workload.launches[1].queue = QueueId{0};
  DeviceSpec device = small_device();
  device.dispatch.kernel_choice = KernelChoice::priority;
  CHECK(cores_of(run_fully(device, workload)) == std::vector<std::uint32_t>{0, 0});
  CHECK(cores_of(run_fully(device, workload), launch(1)) == std::vector<std::uint32_t>{1});
  CHECK(run_fully(device, workload).record.launches[1].first_dispatched == at(ps(0)));
  workload.launches[1].as_kernel().priority = 0;
  CHECK(run_fully(device, workload).record.launches[1].first_dispatched == at(ps(10)));
  workload.launches[1].as_kernel().cores = {{core(0), core(0)}};
  const Compilation refused = compile(device, device.dispatch, workload);
  REQUIRE(refused.issues().size() == 1);
  CHECK(refused.issues()[0].path == "launches[1].cores");
  CHECK(refused.issues()[0].message == "not all of them belong to the queue 'high'");
}

TEST_CASE("under partial admission a higher launch waits for the partial work-group of a lower one, on its core") {
  Workload workload = workload_of({kernel_of(2, 5, {compute(ps(10))}), kernel_of(1, 5, {compute(ps(10))})});
  workload.launches[1].as_kernel().priority = 1;
  workload.launches[1].at = at(ps(1));
  DeviceSpec device = one_core();
  device.dispatch = {"fill_first", Admission::partial, {}, Handover::never, KernelChoice::priority};
  const FullRun run = run_fully(device, workload);
  // 5 + 3 of 5; at 10 the two remaining threads come first, then the higher launch.
  CHECK(run.work_groups.records_of(launch(0))[1].fully_placed == at(ps(10)));
  CHECK(run.record.launches[1].first_dispatched == at(ps(10)));
}

TEST_CASE("setting a core's memory anew drains it, if the dispatch says so") {
  DeviceSpec device = one_core();
  device.slm.pools = {Bytes{0}, Bytes{4096}, Bytes{8192}};
  Workload workload = workload_of({kernel_of(1, 2, {compute(ps(10))}), kernel_of(1, 2, {compute(ps(10))})});
  workload.kernels[0].needs.slm.total = workload.kernels[1].needs.slm.total = Bytes{1000};
  workload.kernels[0].needs.slm.carveout_percent = 50;
  workload.kernels[1].needs.slm.carveout_percent = 100;
  CHECK(run_fully(device, workload).record.launches[1].first_dispatched == at(ps(0)));
  device.dispatch.slm_reconfiguration = SlmReconfiguration::drains_core;
  const FullRun run = run_fully(device, workload);
  CHECK(run.record.launches[1].first_dispatched == at(ps(10)));
  CHECK(waited(run, 1, WaitReason::slm_pool) == ps(10));
  CHECK(waited(run, 1, WaitReason::core_sharing) == ps(0));
  const auto is_for_memory = [](const IdleUse& use) { return use.reason == WaitReason::slm_pool; };
  CHECK(std::any_of(run.record.idle.begin(), run.record.idle.end(), is_for_memory));
  workload.kernels[1].needs.slm.carveout_percent = 50;
  CHECK(run_fully(device, workload).record.launches[1].first_dispatched == at(ps(0)));
}

TEST_CASE("a launch that lacks contexts for its last work-group waits turn by turn, whichever is chosen next") {
  const auto part = [](std::uint32_t first, std::uint32_t last, std::int64_t time) {
    return Only{{{first, last}}, {compute(ps(time))}};
  };
  for (const KernelChoice choice :
       {KernelChoice::head_only, KernelChoice::skip_blocked, KernelChoice::round_robin, KernelChoice::priority}) {
    const DeviceSpec device = with(one_core(), [&](DeviceSpec& d) {
      d.dispatch = {"fill_first", Admission::partial, {}, Handover::never, choice};
    });
    const FullRun run = run_fully(device, workload_of({kernel_of(1, 7, {part(0, 2, 1), part(3, 4, 2), part(5, 6, 5)}),
                                                       kernel_of(1, 8, {compute(ps(10))})}));
    CHECK(run.record.launches[1].fully_dispatched == at(ps(5)));
    CHECK(waited(run, 1, WaitReason::contexts) == ps(5));
    CHECK(waited(run, 1, WaitReason::other_launches) == ps(0));
  }
}

TEST_CASE("the host waits for a launch that it submits late, and then submits what waits for it") {
  Workload workload = workload_of({kernel_of(1, 1, {compute(ps(10))}), kernel_of(1, 1, {compute(ps(10))})});
  workload.launches[0].at = at(ps(50));
  workload.launches[1].host_waits = {launch(0)};
  const FullRun run = run_fully(one_core(), workload);
  CHECK(run.record.launches[0].ended == at(ps(60)));
  CHECK(run.record.launches[1].first_dispatched == at(ps(60)));
  CHECK(waited(run, 1, WaitReason::host) == ps(60));
  CHECK(run.record.critical_path == std::vector<LaunchId>{launch(0), launch(1)});
}

TEST_CASE("while no port is free, all launches that could place wait for one") {
  const DeviceSpec device = with(small_device(), [](DeviceSpec& d) {
    d.dispatch = {"fill_first", Admission::partial, {1}, Handover::never, KernelChoice::skip_blocked};
  });
  const Kernel small = kernel_of(1, 1, {compute(ps(10))});
  Workload workload = workload_of({kernel_of(1, 5, {compute(ps(20))}), kernel_of(1, 6, {compute(ps(20))}), small,
                                   kernel_of(2, 1, {compute(ps(10))})});
  workload.launches[0].as_kernel().cores = workload.launches[1].as_kernel().cores = {{core(0), core(0)}};
  const FullRun run = run_fully(device, workload);
  CHECK(waited(run, 2, WaitReason::ports) == ps(20));
  CHECK(waited(run, 3, WaitReason::ports) == ps(20));
}

TEST_CASE("a launch that has begun and holds no core any more fits where others of its kernel do") {
  const DeviceSpec device = with(small_device(), [](DeviceSpec& d) {
    d.dispatch.kernel_choice = KernelChoice::round_robin;
    d.dispatch.core_sharing = CoreSharing::exclusive;
  });
  Workload workload = workload_of({kernel_of(2, 8, {compute(ps(10))})});
  workload.launches.resize(5, workload.launches.front());
  const FullRun run = run_fully(device, workload);
  CHECK(run.record.duration() == ps(50));
  for (std::uint32_t i = 0; i < 5; ++i)
    CHECK(run.work_groups.records_of(launch(i))[0].first_placed == at(ps(i / 2 * 10)));
  CHECK(run.work_groups.records_of(launch(0))[1].first_placed == at(ps(20)));
  CHECK(run.work_groups.records_of(launch(4))[1].first_placed == at(ps(40)));
}

TEST_CASE("a launch records what it waited for: contexts, slots, memory, barriers, registers, ports, its turn") {
  const auto second_waits = [](const DeviceSpec& device, const Kernel& first, const Kernel& second) {
    const FullRun run = run_fully(device, workload_of({first, second}));
    for (const WaitReason reason : kWaitReasons)
      if (run.record.launches[1].waited[reason] == ps(10)) return std::string(name_of(reason));
    return std::string("nothing");
  };
  const Kernel small = kernel_of(1, 3, {compute(ps(10))});
  CHECK(second_waits(one_core(), small, small) == "nothing");
  CHECK(second_waits(one_core(), kernel_of(1, 6, {compute(ps(10))}), small) == "contexts");
  CHECK(second_waits(with(one_core(), [](auto& d) { d.work_groups_per_core = 1; }), small, small) ==
        "work_group_slots");
  const Kernel local = with(small, [](Kernel& k) { k.needs.slm.total = Bytes{5000}; });
  CHECK(second_waits(one_core(), local, local) == "slm");
  const Kernel with_barrier = kernel_of(1, 3, {barrier(), compute(ps(10))});
  CHECK(second_waits(with(one_core(), [](auto& d) { d.barriers_per_core = 1; }), with_barrier, with_barrier) ==
        "barriers");
  const DeviceSpec few_registers = with(one_core(), [](DeviceSpec& d) { d.registers.emplace().per_engine = 8 * 20; });
  const Kernel greedy = with(kernel_of(1, 2, {compute(ps(10))}), [](Kernel& k) { k.needs.registers = 12; });
  CHECK(second_waits(few_registers, greedy, greedy) == "registers");
  CHECK(second_waits(with(one_core(), [](auto& d) { d.dispatch.core_sharing = CoreSharing::exclusive; }), small,
                     small) == "core_sharing");
  const DeviceSpec one_port = with(small_device(), [](auto& d) {
    d.dispatch = {"fill_first", Admission::partial, {1}, Handover::never};
  });
  const FullRun run = run_fully(one_port, workload_of({kernel_of(3, 5, {compute(ps(10))}), small}));
  CHECK(waited(run, 0, WaitReason::ports) == ps(10));
  CHECK(waited(run, 1, WaitReason::other_launches) == ps(10));
}

TEST_CASE("what a launch waited for adds up to the time until it was placed") {
  Workload workload = workload_of({kernel_of(5, 5, {compute(ps(10))}), kernel_of(5, 3, {compute(ps(7))})});
  workload.launches[1].after = {launch(0)};
  DeviceSpec device = one_core();
  device.submit_overhead = ps(2);
  device.launch_latency = ps(3);
  device.dependency_gap = ps(4);
  for (const LaunchRecord& record : run_fully(device, workload).record.launches) {
    Duration sum;
    for (const WaitReason reason : kWaitReasons) sum = sum + record.waited[reason];
    CHECK(at(sum) == *record.fully_dispatched);
  }
}

TEST_CASE("slack is how much later a launch could have ended") {
  Workload workload = workload_of({kernel_of(1, 1, {compute(ps(10))}), kernel_of(1, 1, {compute(ps(4))}),
                                   kernel_of(1, 1, {compute(ps(5))}), kernel_of(1, 1, {compute(ps(1))})});
  workload.launches[2].after = {launch(0), launch(1)};
  const FullRun run = run_fully(one_core(), workload);
  CHECK(run.record.launches[0].slack == ps(0));
  CHECK(run.record.launches[1].slack == ps(6));
  CHECK(run.record.launches[2].slack == ps(0));
  CHECK(run.record.launches[3].slack == ps(14));
  CHECK(run.record.critical_path == std::vector<LaunchId>{launch(0), launch(2)});
}

namespace {

/// `parents` work-groups of 2 threads launch a child of 2 threads and 30 ps, between two steps of 10 ps.
Workload family(std::uint64_t parents, ChildWait wait) {
  Workload workload =
      workload_of({kernel_of(parents, 2, {compute(ps(10)), LaunchChild{KernelId{1}, wait}, compute(ps(10))}),
                   kernel_of(1, 2, {compute(ps(30))})});
  workload.launches.resize(1);
  add_child_launches(workload);
  return workload;
}

}  // namespace

TEST_CASE("a parent that waits keeps its contexts, and continues when its child has ended") {
  const FullRun run = run_fully(one_core(), family(2, ChildWait::yes));
  CHECK(run.record.launches[0].ended == at(ps(50)));
  CHECK(run.record.launches[1].first_dispatched == at(ps(10)));
  CHECK(run.record.launches[2].ended == at(ps(40)));
  CHECK(phase_threads(run.record) == std::vector<std::uint64_t>{4, 8, 4});
  CHECK(run.record.launches[1].slack == ps(0));
  // Two work-groups of two threads wait for 30 ps each: for children, not at barriers.
  CHECK(run.record.time_use[0].use.spent_on(Activity::child) == 120);
  CHECK(run.record.time_use[0].use.spent_on(Activity::barrier) == 0);
}

TEST_CASE("a parent that does not wait ends its work-groups, but not before its children as a launch") {
  const FullRun run = run_fully(one_core(), family(1, ChildWait::no));
  CHECK(run.work_groups.records_of(launch(0))[0].ended == at(ps(20)));
  CHECK(run.record.launches[0].ended == at(ps(40)));
}

TEST_CASE("a child goes before further work-groups of its parent") {
  const FullRun run = run_fully(one_core(), family(8, ChildWait::no));
  // Four parents fill the core until 20; then come the four children, and the other parents after them.
  for (std::uint32_t child = 1; child <= 4; ++child) CHECK(run.record.launches[child].first_dispatched == at(ps(20)));
  CHECK(run.work_groups.records_of(launch(0))[4].first_placed == at(ps(50)));
}

TEST_CASE("threads that reach the step after the child has ended do not wait") {
  // Partial: 5 + 3 contexts of core 0. Three parent threads launch at 10; the child goes to core 1, because core 0 is
  // full. They end with it at 40; the fourth takes one of their contexts, reaches the step at 50, and ends there.
  Workload workload = workload_of({kernel_of(1, 5, {compute(ps(100))}),
                                   kernel_of(1, 4, {compute(ps(10)), LaunchChild{KernelId{2}, ChildWait::yes}}),
                                   kernel_of(1, 1, {compute(ps(30))})});
  workload.launches.resize(2);
  add_child_launches(workload);
  DeviceSpec device = with(small_device(), [](auto& d) {
    d.dispatch = {"fill_first", Admission::partial, {}, Handover::always};
  });
  workload.launches[0].as_kernel().cores = {{core(0), core(0)}};
  const FullRun run = run_fully(device, workload);
  CHECK(run.work_groups.records_of(launch(1))[0].threads_first_placed == 3);
  CHECK(run.record.launches[2].ended == at(ps(40)));
  CHECK(run.record.launches[1].ended == at(ps(50)));
}

TEST_CASE("parents that wait and leave no contexts for their children stall, and the stall says so") {
  const FullRun run = run_fully(one_core(), family(4, ChildWait::yes));
  CHECK(run.record.outcome == Outcome::deadlock);
  REQUIRE(run.record.deadlock.groups.size() == 4);
  CHECK(run.record.time_use[0].use.spent_on(Activity::barrier) == 0);
  CHECK(run.record.deadlock.groups[2].child == launch(3));
  CHECK_FALSE(run.record.launches[0].slack.has_value());
}

TEST_CASE("a limit on concurrent kernels lets the next begin when one has ended") {
  DeviceSpec device = one_core();
  device.dispatch.concurrent_kernels = 2;
  const FullRun run =
      run_fully(device, workload_of({kernel_of(1, 1, {compute(ps(10))}), kernel_of(1, 1, {compute(ps(4))}),
                                     kernel_of(1, 1, {compute(ps(5))})}));
  CHECK(run.record.launches[1].first_dispatched == at(ps(0)));
  CHECK(run.record.launches[2].first_dispatched == at(ps(4)));
}

TEST_CASE("children count with their parent: a limit of one kernel does not lock them out") {
  for (const KernelChoice choice : {KernelChoice::head_only, KernelChoice::skip_blocked, KernelChoice::round_robin}) {
    DeviceSpec device = one_core();
    device.dispatch.concurrent_kernels = 1;
    device.dispatch.kernel_choice = choice;
    CHECK(run_fully(device, family(2, ChildWait::yes)).record.launches[0].ended == at(ps(50)));
  }
}
