#include "run/sharing.hpp"

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

// Stores against closed forms. A byte of memory takes a nanosecond for the whole device; its latency is 500 ns.

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

TEST_CASE("a thread goes on at once after a store, and its launch ends when the bytes have been served") {
  CHECK(time_of({stores(100), compute(ns(300))}) == ns(300));
  CHECK(time_of({stores(100), compute(ns(30))}) == ns(100));
  CHECK(time_of({compute(ns(30)), stores(100)}) == ns(130));
  CHECK(time_of({memory(100), stores(100)}) == ns(700));
}

TEST_CASE("a work-group is released before its stores have been served") {
  // Ten groups follow each other in one context: the last begins to store at 90 ns.
  CHECK(time_of({compute(ns(10)), stores(5)}, 10, 1) == ns(105));
}

TEST_CASE("a step whose written sectors make up all its bytes is a store") {
  Memory step{Bytes{96}};
  step.written = WrittenSectors{2, 1};
  CHECK(is_store(step));
  CHECK(time_of({step, compute(ns(300))}) == ns(300));
  step.written = WrittenSectors{2, 0};
  CHECK_FALSE(is_store(step));
  CHECK(time_of({step, compute(ns(300))}) == ns(896));
}

TEST_CASE("a wait for loads does not wait for stores, a fence does") {
  CHECK(time_of({stores(100), WaitMemory{}, compute(ns(10))}) == ns(100));
  CHECK(time_of({stores(100), Fence{}, compute(ns(10))}) == ns(610));  // 100, the latency, 10
  CHECK(time_of({Fence{}, compute(ns(10))}) == ns(510));
}

TEST_CASE("threads wait while more stores are under way from their core than it has contexts") {
  // With two contexts, the third store at 20 ns finds two older ones under way, and goes on; the fourth waits.
  const Program program{stores(100), compute(ns(10)), stores(100), compute(ns(10)),
                        stores(100), compute(ns(10)), stores(100), compute(ns(10))};
  const auto takes_400_ns = [&](std::uint32_t contexts) {
    const Duration time = time_of(program, 1, contexts);
    return time >= ns(400) && time <= ns(401);  // amounts served are rounded up
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
  CHECK(time({compute(ns(10)), stores(1)}) == ns(171));
}
