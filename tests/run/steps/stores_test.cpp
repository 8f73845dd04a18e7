#include "run/sharing.hpp"

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

// Stores against closed forms. A byte of memory takes a nanosecond for the whole device; its latency, and so that of an
// acknowledgement, is 500 ns.

namespace {

Step stores(std::int64_t bytes) {
  Memory step{Bytes{bytes}};
  step.is_posted = true;
  return step;
}

DeviceSpec device_that_stores(std::uint32_t contexts) {
  return with(small_device(), [&](DeviceSpec& device) {
    device.cores = 1;
    device.engines_per_core = 1;
    device.contexts_per_engine = contexts;
    device.max_work_group_size = 8 * contexts;
    MemoryLevel dram;
    dram.name = "DRAM";
    dram.bandwidth = BytesPerSecond{1'000'000'000};
    dram.latency = step_time(ns(500));
    device.memory.emplace().levels.push_back(dram);
  });
}

FullRun run_stores(const Program& program, std::uint64_t groups, std::uint32_t contexts) {
  return run_fully(device_that_stores(contexts), workload_of({kernel_of(groups, 1, program)}));
}

Duration time_of(const Program& program, std::uint64_t groups = 1, std::uint32_t contexts = 16) {
  return run_stores(program, groups, contexts).record.duration();
}

}  // namespace

TEST_CASE("a thread goes on at once after a store, and its launch ends when the bytes served are acknowledged") {
  CHECK(time_of({stores(100), compute(ns(700))}) == ns(700));
  CHECK(time_of({stores(100), compute(ns(300))}) == ns(600));
  CHECK(time_of({stores(100), compute(ns(600))}) == ns(600));
  CHECK(time_of({compute(ns(30)), stores(100)}) == ns(630));
  CHECK(time_of({memory(100), stores(100)}) == ns(1'200));
}

TEST_CASE("a work-group is released before its stores have been served") {
  // Ten groups follow each other in one context: the last begins to store at 90 ns.
  CHECK(time_of({compute(ns(10)), stores(5)}, 10, 1) == ns(605));
}

TEST_CASE("whatever waits for a launch waits until its stores are acknowledged, but its cores are free") {
  const Program program{compute(ns(10)), stores(5)};
  const auto starts = [&](auto change) {
    Workload workload = workload_of({kernel_of(1, 1, program), kernel_of(1, 1, {compute(ns(10))})});
    change(workload.launches[1]);
    const FullRun run = run_fully(device_that_stores(1), workload);
    CHECK(run.record.launches[0].ended == at(ns(515)));
    return *run.record.launches[1].first_dispatched;
  };
  CHECK(starts([](Launch& second) { second.after = {launch(0)}; }) == at(ns(515)));
  CHECK(starts([](Launch& second) { second.host_waits = {launch(0)}; }) == at(ns(515)));
  CHECK(starts([](Launch&) {}) == at(ns(10)));
}

TEST_CASE("an acknowledgement takes the latency of the fastest level that all cores share, by the clock") {
  DeviceSpec device = device_that_stores(1);
  device.clock = Hertz{1'000'000'000};
  MemoryLevel l2 = device.memory->levels.front();
  l2.name = "L2";
  l2.capacity = Bytes{1};
  l2.latency = cycles(200);
  device.memory->levels.insert(device.memory->levels.begin(), l2);
  const Workload workload = workload_of({kernel_of(1, 1, {stores(100)})});
  CHECK(duration(device, workload) == ns(300));
  device.clock_changes = {{at(ns(200)), Hertz{500'000'000}}};  // of 200 cycles, 100 are left
  CHECK(duration(device, workload) == ns(400));
}

TEST_CASE("launches whose last stores end together, without a latency, end once") {
  DeviceSpec device = device_that_stores(2);
  device.memory->levels.front().latency.reset();
  Workload workload = workload_of({kernel_of(1, 1, {Trigger{}, stores(100)}), kernel_of(1, 1, {stores(100)})});
  workload.launches[1].after_triggers = {launch(0)};
  const FullRun run = run_fully(device, workload);
  CHECK(run.record.outcome == Outcome::completed);
  CHECK(run.record.launches[0].ended == at(ns(200)));
  CHECK(run.record.launches[1].ended == at(ns(200)));
}

TEST_CASE("a step whose written sectors make up all its bytes is a store") {
  Memory step{Bytes{96}};
  step.written = WrittenSectors{2, 1};
  CHECK(is_store(step));
  CHECK(time_of({step, compute(ns(700))}) == ns(700));
  step.written = WrittenSectors{2, 0};
  CHECK_FALSE(is_store(step));
  CHECK(time_of({step, compute(ns(700))}) == ns(1'296));
}

TEST_CASE("a wait for loads does not wait for stores, a fence does") {
  CHECK(time_of({stores(100), WaitMemory{}, compute(ns(590))}) == ns(600));
  CHECK(time_of({stores(100), WaitMemory{}, compute(ns(650))}) == ns(650));
  CHECK(time_of({stores(100), Fence{}, compute(ns(10))}) == ns(610));  // 100, the latency, 10
  CHECK(time_of({Fence{}, compute(ns(10))}) == ns(510));
}

TEST_CASE("threads wait while more stores are under way from their core than it has contexts") {
  // With two contexts, the third store at 20 ns finds two older ones under way, and goes on; the fourth waits.
  const Program program{stores(100), compute(ns(10)), stores(100), compute(ns(10)),
                        stores(100), compute(ns(10)), stores(100), compute(ns(10))};
  const auto takes_400_ns = [&](std::uint32_t contexts) {
    const Duration time = time_of(program, 1, contexts);
    return time >= ns(900) && time <= ns(901);  // with its acknowledgement; amounts served are rounded up
  };
  CHECK(takes_400_ns(16));
  const FullRun run = run_stores(program, 1, 2);
  Int128 waited = 0;
  for (const CoreTimeUse& one : run.record.time_use) waited += one.use.spent_on(Activity::memory);
  CHECK(waited > 0);
  CHECK(takes_400_ns(2));
}

TEST_CASE("places of work-groups that store recover after the drain as well") {
  DeviceSpec device = device_that_stores(1);
  device.dispatch.recovery = step_time(ns(50));
  device.memory->store_drain = step_time(ns(20));
  const auto time = [&](const Program& program) { return duration(device, workload_of({kernel_of(3, 1, program)})); };
  CHECK(time({compute(ns(10))}) == ns(130));
  CHECK(time({compute(ns(10)), stores(1)}) == ns(671));  // the last one is acknowledged
}
