#include "run/sharing.hpp"
#include "support/builders.hpp"
#include "support/scenarios.hpp"

#include <catch2/catch.hpp>

// Dispatch that takes time: small_device() has 2 cores of 8 contexts and a clock of 1 GHz.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

using Starts = std::vector<std::int64_t>;

/// When the first thread of each work-group was placed, picoseconds.
Starts starts_of(const FullRun& run, LaunchId id = launch(0)) {
  Starts starts;
  for (const WorkGroupRecord& one : run.work_groups.records_of(id)) starts.push_back(one.first_placed.count);
  return starts;
}

DeviceSpec with_interval(DeviceSpec device, DispatchInterval interval) {
  device.dispatch.interval = std::move(interval);
  return device;
}

}  // namespace

TEST_CASE("placing n threads keeps the dispatcher busy for per_work_group or n x per_thread, whichever is longer") {
  const Workload workload = workload_of({kernel_of(3, 2, {compute(ps(1000))})});
  const DeviceSpec by_group = with_interval(small_device(), {picoseconds(50), picoseconds(10), "device"});
  CHECK(starts_of(run_fully(by_group, workload)) == Starts{0, 50, 100});
  const DeviceSpec by_thread = with_interval(small_device(), {picoseconds(50), picoseconds(30), "device"});
  CHECK(starts_of(run_fully(by_thread, workload)) == Starts{0, 60, 120});
}

TEST_CASE("cycles of an interval go through the device's clock") {
  const DeviceSpec device = with_interval(small_device(), {cycles(2), {}, "device"});
  CHECK(starts_of(run_fully(device, workload_of({kernel_of(3, 2, {compute(us(1))})}))) == Starts{0, 2000, 4000});
}

TEST_CASE("no cycles need no clock") {
  DeviceSpec device = with_interval(small_device(), {cycles(0), {}, "device"});
  device.clock.reset();
  device.dispatch.recovery = cycles(0);
  CHECK(starts_of(run_fully(device, workload_of({kernel_of(2, 2, {compute(us(1))})}))) == Starts{0, 0});
}

TEST_CASE("each core has a dispatcher of its own: they place side by side") {
  const DeviceSpec device = with_interval(small_device(), {picoseconds(50), {}, "core"});
  const FullRun run = run_fully(device, workload_of({kernel_of(4, 2, {compute(ps(1000))})}));
  CHECK(starts_of(run) == Starts{0, 0, 50, 50});
  CHECK(cores_of(run) == std::vector<std::uint32_t>{0, 1, 0, 1});
}

TEST_CASE("a turn begins behind the dispatcher that placed something last") {
  const DeviceSpec device = with_interval(small_device(), {picoseconds(50), {}, "core"});
  const FullRun run =
      run_fully(device, workload_of({kernel_of(5, 2, {compute(ps(1000))}), kernel_of(1, 2, {compute(ps(5))})}));
  CHECK(cores_of(run) == std::vector<std::uint32_t>{0, 1, 0, 1, 0});
  CHECK(cores_of(run, launch(1)) == std::vector<std::uint32_t>{1});
}

TEST_CASE("each dispatcher has a spread work-group of its own, which is placed on further cores among others'") {
  DeviceSpec device = with(small_device(), [](DeviceSpec& d) {
    d.cores = 4;
    d.core_groups = {{"half", 2}};
    d.dispatch.placement = "fill_first";
    d.dispatch.admission = Admission::spread;
    d.dispatch.interval = DispatchInterval{picoseconds(50), {}, "half"};
  });
  // 5 of 8 contexts of the first core of each half are taken. 50 ps later 3 of 6 threads are placed there, and after 50
  // ps more the others on the second core, in both halves at once.
  const FullRun run =
      run_fully(device, workload_of({kernel_of(2, 5, {compute(ps(1000))}), kernel_of(2, 6, {compute(ps(1000))})}));
  CHECK(cores_of(run, launch(1)) == std::vector<std::uint32_t>{0, 2});
  CHECK(run.work_groups.more_cores_of(launch(1), group(0)) == std::vector<CoreId>{core(1)});
  CHECK(run.work_groups.more_cores_of(launch(1), group(1)) == std::vector<CoreId>{core(3)});
  CHECK(starts_of(run, launch(1)) == Starts{50, 50});
  CHECK(run.record.end == at(ps(1100)));
}

TEST_CASE("dispatchers that take no time fill their cores one after the other") {
  const DeviceSpec device = with_interval(small_device(), {{}, {}, "core"});
  const FullRun run = run_fully(device, workload_of({kernel_of(5, 2, {compute(ps(1000))})}));
  CHECK(cores_of(run) == std::vector<std::uint32_t>{0, 0, 0, 0, 1});
}

TEST_CASE("the rest of a partial work-group keeps the dispatcher busy, too, and comes first") {
  DeviceSpec device = with_interval(one_core(), {{}, picoseconds(10), "device"});
  device.dispatch.admission = Admission::partial;
  // 5 threads, then 3 of the next; its other 2 follow when the first have ended.
  const FullRun run = run_fully(device, workload_of({kernel_of(3, 5, {compute(ps(100))})}));
  CHECK(starts_of(run) == Starts{0, 50, 120});
}

TEST_CASE("what has ended can be taken again only after its recovery, and a run does not wait for the last one") {
  DeviceSpec device = one_core();
  device.dispatch.recovery = picoseconds(70);
  const FullRun run = run_fully(device, workload_of({kernel_of(2, 8, {compute(ps(1000))})}));
  CHECK(starts_of(run) == Starts{0, 1070});
  CHECK(run.record.end == at(ps(2070)));
  CHECK(*run.record.launches[0].ended == at(ps(2070)));
  CHECK(run.timeline.size() == 4);  // 8 threads, none, 8, none: what recovers is not resident
}

TEST_CASE("a launch begins at its turn, and its work-groups are placed when its launch cost is over") {
  DeviceSpec device = one_core();
  device.launch_cost = picoseconds(300);
  const FullRun run =
      run_fully(device, workload_of({kernel_of(1, 8, {compute(ps(1000))}), kernel_of(1, 8, {compute(ps(1000))})}));
  CHECK(*run.record.launches[0].begun == at(ps(0)));
  CHECK(starts_of(run) == Starts{300});
  // The second is the head as soon as the first is placed; its cost is over before there is room.
  CHECK(*run.record.launches[1].begun == at(ps(300)));
  CHECK(starts_of(run, launch(1)) == Starts{1300});
  CHECK(run.record.launches[0].waited[WaitReason::launch_cost] == ps(300));
}

TEST_CASE("the overlapping part of a launch's cost lies behind those that it depends on") {
  DeviceSpec device = one_core();
  device.launch_cost = LaunchCost(picoseconds(100), picoseconds(200));
  Workload workload = workload_of({kernel_of(1, 8, {compute(ps(1000))}), kernel_of(1, 8, {compute(ps(1000))}),
                                   kernel_of(1, 8, {compute(ps(10))}), kernel_of(1, 8, {compute(ps(10))})});
  for (std::uint32_t i = 1; i < 4; ++i) workload.launches[i].after = {launch(i - 1)};
  const FullRun run = run_fully(device, workload);
  const auto begun = [&](std::size_t i) { return run.record.launches[i].begun->count; };
  const auto waited = [&](std::size_t i) { return run.record.launches[i].waited[WaitReason::launch_cost].count; };
  // The first pays both parts, the second only the serial one: its overlapping part was hidden behind the first.
  CHECK(begun(0) == 0);
  CHECK(starts_of(run) == Starts{300});
  CHECK(waited(0) == 300);
  CHECK(begun(1) == 1300);
  CHECK(starts_of(run, launch(1)) == Starts{1400});
  CHECK(waited(1) == 100);
  CHECK(starts_of(run, launch(2)) == Starts{2500});
  // The third has taken 110 ps from its beginning at 2400: 90 ps are left of the overlapping part of the fourth.
  CHECK(begun(3) == 2510);
  CHECK(starts_of(run, launch(3)) == Starts{2700});
  CHECK(waited(3) == 190);
}

TEST_CASE("the overlapping part of a launch's cost begins as the launch arrives if it depends on none") {
  DeviceSpec device = one_core();
  device.launch_cost = LaunchCost(picoseconds(100), picoseconds(200));
  device.launch_latency = ps(50);
  Workload workload = workload_of({kernel_of(1, 8, {compute(ps(1000))}), kernel_of(1, 8, {compute(ps(1000))})});
  const FullRun run = run_fully(device, workload);
  CHECK(run.record.launches[0].begun->count == 50);
  CHECK(starts_of(run) == Starts{350});
  // It depends on nothing, so that all of it was over when its turn came.
  CHECK(run.record.launches[1].begun->count == 350);
  CHECK(starts_of(run, launch(1)) == Starts{1350});
  CHECK(run.record.launches[1].waited[WaitReason::launch_cost] == ps(100));
}

TEST_CASE("a launch whose cost is over as it begins is placed at once, whatever names it") {
  for (const KernelChoice choice :
       {KernelChoice::head_only, KernelChoice::priority, KernelChoice::skip_blocked, KernelChoice::round_robin}) {
    DeviceSpec device = one_core();
    device.dispatch.kernel_choice = choice;
    device.launch_cost = LaunchCost({}, picoseconds(200));
    Workload workload = workload_of({kernel_of(1, 8, {compute(ps(1000))}), kernel_of(1, 8, {compute(ps(1000))})});
    workload.launches[1].after = {launch(0)};
    const FullRun run = run_fully(device, workload);
    CHECK(starts_of(run) == Starts{200});
    CHECK(run.record.launches[1].begun->count == 1200);
    CHECK(starts_of(run, launch(1)) == Starts{1200});
  }
}

TEST_CASE("round_robin: launches of one kernel that wait side by side all begin in one visit") {
  DeviceSpec device = with_interval(one_core(), {picoseconds(100), {}, "device"});
  device.launch_cost = picoseconds(150);
  device.dispatch.kernel_choice = KernelChoice::round_robin;
  Workload workload = workload_of(
      {kernel_of(10, 1, {compute(us(1))}), kernel_of(1, 1, {compute(ps(20))}), kernel_of(1, 1, {compute(ps(1000))})});
  workload.launches.back().after = {launch(1)};
  for (int i = 0; i < 3; ++i) workload.launches.push_back(workload.launches.back());
  const FullRun run = run_fully(device, workload);
  // They are ready at 270, while the dispatcher is busy: kernel choice names one. From 350 on it places others beside.
  std::vector<std::int64_t> begins;
  for (std::size_t i = 2; i < 6; ++i) begins.push_back(run.record.launches[i].begun->count);
  CHECK(begins == std::vector<std::int64_t>{270, 350, 350, 350});
}

TEST_CASE("a launch that costs nothing begins with its first work-group") {
  const FullRun run =
      run_fully(one_core(), workload_of({kernel_of(1, 8, {compute(ps(1000))}), kernel_of(1, 8, {compute(ps(1000))})}));
  CHECK(*run.record.launches[1].begun == at(ps(1000)));
}

TEST_CASE("achieved occupancy counts cores while they hold threads, elapsed occupancy the launch from its begin") {
  DeviceSpec device = small_device();
  device.launch_cost = picoseconds(1000);
  const FullRun run = run_fully(device, workload_of({kernel_of(1, 4, {compute(ps(1000))})}));
  CHECK(to_fixed(run.record.achieved_occupancy(), 3) == "50.000");
  CHECK(to_fixed(run.record.achieved_occupancy(run.record.launches[0]), 3) == "50.000");
  CHECK(to_fixed(run.record.mean_occupancy(), 3) == "25.000");
  CHECK(to_fixed(*run.record.elapsed_occupancy(run.record.launches[0]), 3) == "12.500");
}

TEST_CASE("work-groups come in batches while the launch is large and much of it is left") {
  DeviceSpec device = small_device();
  device.dispatch.placement = "round_robin";
  device.dispatch.batch = BatchRule{2, {0, 6}, {0, 4}};
  const auto cores = [&](std::uint64_t groups) {
    return cores_of(run_fully(device, workload_of({kernel_of(groups, 1, {compute(ps(1000))})})));
  };
  CHECK(cores(6) == std::vector<std::uint32_t>{0, 0, 1, 1, 0, 1});
  CHECK(cores(5) == std::vector<std::uint32_t>{0, 1, 0, 1, 0});
}

TEST_CASE("a batch ends where the next work-group does not fit") {
  DeviceSpec device = small_device();
  device.dispatch.placement = "round_robin";
  device.dispatch.batch = BatchRule{3, {}, {}};
  const FullRun run = run_fully(device, workload_of({kernel_of(4, 3, {compute(ps(1000))})}));
  CHECK(cores_of(run) == std::vector<std::uint32_t>{0, 0, 1, 1});
}

TEST_CASE("the rules' order of ties goes before the device's") {
  DeviceSpec device = with(small_device(), [](DeviceSpec& d) {
    d.cores = 4;
    d.dispatch.placement = "least_loaded";
    d.dispatch.tie_order = TieOrder{TieOrder::Pattern::evens_then_odds, {}};
  });
  const FullRun run = run_fully(device, workload_of({kernel_of(4, 1, {compute(ps(1000))})}));
  CHECK(cores_of(run) == std::vector<std::uint32_t>{0, 2, 1, 3});
}

TEST_CASE("where dispatch takes time, a slot is taken again once its core has recovered, slot after slot") {
  // 36 cores of 8 slots, one placed every nanosecond: each slot is taken again after 500 ns and 100 of recovery.
  const DeviceSpec device = with(small_device(), [](DeviceSpec& d) {
    d.cores = 36;
    d.dispatch.placement = "most_room";
    d.dispatch.interval = DispatchInterval{{Decimal::whole(1), StepTime::Unit::cycles}, {}, "device"};
    d.dispatch.recovery = StepTime{Decimal::whole(100), StepTime::Unit::cycles};
  });
  constexpr std::int64_t rounds = 5;
  constexpr std::int64_t left = 17;
  const Workload workload = workload_of({kernel_of(rounds * 288 + left, 1, {compute(ns(500))})});
  const RunResult run = simulate(device, device.dispatch, workload);
  CHECK(run.record.end == at(ns(rounds * 600 + (left - 1) + 500)));
}

namespace {

std::string problems_of(const std::string& device, const std::string& dispatch) {
  return read_text("scenario: s\ndevice: " + device + "\ndispatch: " + dispatch +
                   "\nkernels: {k: {global: 64, local: 64, sub_group: 32, program: [compute: 1 us]}}\n"
                   "launches: [{kernel: k}]\n")
      .problems;
}

}  // namespace

TEST_CASE("dispatchers of a level that the device does not have are refused, with those that it has") {
  const std::string problems =
      problems_of("{base: cc-8.6, cores: 4, clock: 1 GHz, core_groups: [{name: GPC, count: 2}]}",
                  "{interval: {per_work_group: 1 cycle, dispatchers: slice}}");
  CHECK_THAT(problems,
             Catch::Contains("interval.dispatchers: is 'slice'; known on this device: device, core, core_group, GPC"));
}

TEST_CASE("a scenario that counts cycles on a device without a clock is refused") {
  CHECK_THAT(problems_of("{base: cc-8.6, cores: 4}", "{recovery: 5 cycles}"),
             Catch::Contains("recovery: counts cycles, but the device has no `clock`"));
}

TEST_CASE("what a family says in cycles is in force where a clock is named, else it is left out and listed") {
  const auto device = [](const std::string& yaml) {
    return read_text("scenario: s\ndevice: " + yaml +
                     "\nkernels: {k: {global: 64, local: 64, sub_group: 32, program: [compute: 1 us]}}\n"
                     "launches: [{kernel: k}]\n")
        .scenario()
        .device;
  };
  CHECK(device("{base: cc-8.6, cores: 4, clock: 1 GHz}").launch_cost.has_value());
  const DeviceSpec without = device("{base: cc-8.6, cores: 4}");
  CHECK_FALSE(without.launch_cost.has_value());
  CHECK_FALSE(without.dispatch.recovery.has_value());
  CHECK(without.slm_access->latency.amount.is_zero());
  CHECK(without.ignored_keys ==
        std::vector<std::string>{"launch_cost", "dispatch.recovery", "dispatch.interval", "slm_access.latency"});
}
