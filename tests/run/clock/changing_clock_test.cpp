#include "run/sharing.hpp"

#include <gdsim/device/clock_schedule.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

// Runs during which the clock changes, against closed forms: 1 GHz, and 500 MHz from 100 ns on.

namespace {

Step issue_cycles(std::uint64_t count) { return IssueSlots{cycles(count)}; }

DeviceSpec slowed(DeviceSpec device) {
  device.clock_changes = {{at(ns(100)), Hertz{500'000'000}}};
  return device;
}

DeviceSpec quickened(DeviceSpec device) {
  device.slm_access = SlmAccess{16, Bytes{4}, cycles(0), 1};
  device.clock_changes = {{at(ns(100)), Hertz{100'000'000'000}}};
  return device;
}

RunRecord bounded(const DeviceSpec& device, const Workload& workload, SimTime bound) {
  InternalRunOptions options;
  options.bounds.time = bound;
  return testing::simulate(device, device.dispatch, workload, options).record;
}

/// Thread-picoseconds of all cores and kernels.
SimTime end_of_one(const DeviceSpec& device, Program program, std::uint64_t threads = 1) {
  return run_fully(device, workload_of({kernel_of(1, threads, std::move(program))})).record.end;
}

}  // namespace

TEST_CASE("cycles of a compute step that remain are rescaled, its time is not") {
  CHECK(end_of_one(slowed(one_core()), {compute_cycles(200)}) == at(ns(300)));
  CHECK(end_of_one(slowed(one_core()), {compute(ns(200))}) == at(ns(200)));
  CHECK(end_of_one(slowed(one_core()), {compute_cycles(100), compute_cycles(100)}) == at(ns(300)));
  CHECK(end_of_one(slowed(one_core()), {compute(ns(150)), compute_cycles(50)}) == at(ns(250)));
}

TEST_CASE("work on issue slots that remains is rescaled, however many threads share them") {
  // Each of two threads has executed 50 of 100 cycles at 100 ns; the other 100 of both take 200 ns.
  CHECK(end_of_one(slowed(device_of(1, 4)), {issue_cycles(100)}, 2) == at(ns(300)));
  CHECK(end_of_one(slowed(device_of(1, 4)), {issue(ns(100))}, 2) == at(ns(200)));
}

TEST_CASE("threads that share issue slots in cycles and in times keep their equal parts") {
  // Both have 50 ns left of 100 at 100 ns; those in cycles become 100 ns. The time ends at 200 ns; then 50 ns are left
  // alone.
  Workload workload = workload_of({kernel_of(1, 1, {issue_cycles(100)}), kernel_of(1, 1, {issue(ns(100))})});
  workload.launches[1].after = {};
  const FullRun run = run_fully(slowed(device_of(1, 4)), workload);
  CHECK(end_of(run, 0, 1) == at(ns(200)));
  CHECK(end_of(run, 0, 0) == at(ns(250)));
}

TEST_CASE("a memory's latency in cycles is rescaled, its bandwidth is not") {
  DeviceSpec device = slowed(device_of(1, 4));
  CHECK(end_of_one(device, {memory(400)}) == at(ns(400)));
  device.memory->levels[0].latency = cycles(150);
  // The byte is served at 1 ns; 99 of 150 cycles pass before the change.
  CHECK(end_of_one(device, {memory(1)}) == at(ns(202)));
  device.memory->levels[0].latency = step_time(ns(150));
  CHECK(end_of_one(device, {memory(1)}) == at(ns(151)));
}

TEST_CASE("the rate that a latency in cycles allows follows the clock") {
  // 10 bytes at a time, 10 cycles each: 1000 cycles in all, of which 100 pass before the change.
  DeviceSpec device = slowed(device_of(1, 4));
  device.memory->levels[0] = {"DRAM", std::nullopt, gigabytes(100), cycles(10)};
  device.memory->in_flight = Bytes{10};
  CHECK(end_of_one(device, {memory(1'000)}) == at(ns(100 + 2 * 900)));
}

TEST_CASE("costs of barriers in cycles are rescaled") {
  const DeviceSpec device = with(slowed(one_core()), [](DeviceSpec& d) { d.barrier_cost.base = cycles(100); });
  CHECK(end_of_one(device, {compute(ns(50)), barrier()}, 2) == at(ns(200)));
}

TEST_CASE("recoveries in cycles are rescaled") {
  const DeviceSpec device = with(slowed(one_core()), [](DeviceSpec& d) {
    d.work_groups_per_core = 1;
    d.dispatch.recovery = cycles(100);
  });
  const FullRun run = run_fully(device, workload_of({kernel_of(3, 1, {compute(ns(50))})}));
  CHECK(end_of(run, 1) == at(ns(250)));  // placed at 50 + 50 + 2 x 50
  CHECK(end_of(run, 2) == at(ns(500)));  // and at 250 + 2 x 100
}

TEST_CASE("intervals in cycles are rescaled") {
  const DeviceSpec device = with(slowed(one_core()), [](DeviceSpec& d) {
    d.dispatch.interval = DispatchInterval{cycles(80), {}, "device"};
  });
  const FullRun run = run_fully(device, workload_of({kernel_of(3, 1, {compute(ns(1))})}));
  CHECK(end_of(run, 1) == at(ns(81)));
  CHECK(end_of(run, 2) == at(ns(80 + 20 + 2 * 60 + 1)));
}

TEST_CASE("each part of a launch cost in cycles is rescaled") {
  const DeviceSpec device = with(slowed(one_core()), [](DeviceSpec& d) {
    d.launch_cost = LaunchCost{cycles(50), cycles(80)};
  });
  // The overlapping part ends at 80 ns; of the serial one, 20 cycles pass before the change.
  CHECK(end_of_one(device, {compute(ns(1))}) == at(ns(100 + 2 * 30 + 1)));
}

TEST_CASE("what a thread executes alone is all execution, however slow the clock becomes") {
  const FullRun run = run_fully(slowed(device_of(1, 4)), workload_of({kernel_of(1, 1, {issue_cycles(200)})}));
  CHECK(spent(run, Activity::executing) == Int128{300'000});
  CHECK(spent(run, Activity::issue) == 0);
}

TEST_CASE("a thread that executes alone waits for nothing, whatever parts of a picosecond clocks leave of its work") {
  const DeviceSpec device = with(device_of(1, 4), [](DeviceSpec& d) {
    d.slm_access = SlmAccess{16, Bytes{4}, cycles(0), 1};
    for (std::int64_t i = 1; i < 60; ++i)
      d.clock_changes.push_back({at(ps(997 * i)), Hertz{1'000'000'000 / (i % 7 + 3)}});
  });
  for (const Step& step : {issue_cycles(11), Step{Slm{11}}}) {
    const FullRun run = run_fully(device, workload_of({kernel_of(1, 1, {step})}));
    CHECK(spent(run, Activity::executing) == (run.record.end - run.record.first_dispatch).count);
  }
}

TEST_CASE("two threads that share an engine across a change execute half of their time") {
  // Each has 150 of 200 cycles left at 100 ns, which take 600 ns together.
  const FullRun run = run_fully(slowed(device_of(1, 4)), workload_of({kernel_of(1, 2, {issue_cycles(200)})}));
  CHECK(run.record.end == at(ns(700)));
  CHECK(spent(run, Activity::executing) == Int128{700'000});
  CHECK(spent(run, Activity::issue) == Int128{700'000});
}

TEST_CASE("a run that is bounded before a change has executed and waited as if there were none") {
  for (const auto& [step, kind] :
       {std::pair(issue_cycles(300), Activity::issue), std::pair(Step{Slm{300}}, Activity::slm)}) {
    const Workload workload = workload_of({kernel_of(1, 4, {step})});
    for (const SimTime bound : {at(ps(99'996)), at(ns(100))}) {
      const DeviceSpec device = quickened(device_of(1, 4));
      const RunRecord plain = bounded(under_clock(device, *device.clock), workload, bound);
      const RunRecord later = bounded(device, workload, bound);
      CHECK(spent(plain, kind) == 3 * spent(plain, Activity::executing));
      CHECK(spent(later, kind) == spent(plain, kind));
      CHECK(spent(later, Activity::executing) == spent(plain, Activity::executing));
    }
  }
}

TEST_CASE("a run that is bounded between or behind changes has executed what was served under each clock") {
  const Workload workload = workload_of({kernel_of(1, 4, {issue_cycles(1'000)})});
  const DeviceSpec device = with(quickened(device_of(1, 4)), [](DeviceSpec& d) {
    d.clock_changes.push_back({at(ns(101)), Hertz{1'000'000'000}});
  });
  for (const std::int64_t bound : {100'400, 101'000, 102'000, 160'000}) {
    const RunRecord run = bounded(device, workload, at(ps(bound)));
    CHECK(spent(run, Activity::executing) == bound);
    CHECK(spent(run, Activity::issue) == 3 * bound);
  }
}

TEST_CASE("a change behind the end of a run changes nothing") {
  const Workload workload = workload_of({kernel_of(9, 3, {issue_cycles(7), memory(3), compute_cycles(5)})});
  const DeviceSpec device = device_of(1, 4);
  const FullRun plain = run_fully(device, workload);
  const DeviceSpec later = with(device, [&](DeviceSpec& d) {
    d.clock_changes = {{plain.record.end + ps(1), Hertz{1'000}}};
  });
  const FullRun run = run_fully(later, workload);
  CHECK(run.record.end == plain.record.end);
  for (std::uint64_t i = 0; i < 9; ++i) CHECK(end_of(run, i) == end_of(plain, i));
}

TEST_CASE("a change to the clock that is in force changes nothing") {
  const Workload workload =
      workload_of({kernel_of(40, 1, {loop(10, {issue_cycles(3), Barrier{}, compute_cycles(2)})})});
  const DeviceSpec unchanged = with(one_core(), [](DeviceSpec& d) { d.clock_changes = {{at(ns(100)), *d.clock}}; });
  CHECK(run_fully(unchanged, workload).record.end == run_fully(one_core(), workload).record.end);
  CHECK(run_fully(slowed(one_core()), workload).record.end > run_fully(one_core(), workload).record.end);
}
