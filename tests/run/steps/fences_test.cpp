#include "support/builders.hpp"
#include <gdsim/analysis/words.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

// Fences against closed forms. A byte of memory takes a nanosecond; L1 answers after 30 ns, L2 after 200, DRAM after
// 500. A load of bytes that nothing reuses comes from DRAM.

namespace {

MemoryLevel level(const char* name, std::uint64_t latency, const char* scope) {
  MemoryLevel level{name, Bytes{1}, std::nullopt, picoseconds(1'000 * latency)};
  level.scope = scope;
  return level;
}

DeviceSpec device_with_levels() {
  return with(one_core(), [](DeviceSpec& device) {
    MemoryRule& memory = device.memory.emplace();
    memory.in_flight = Bytes{1'000};
    memory.levels = {level("L1", 30, "core"), level("L2", 200, "device"), level("DRAM", 500, "device")};
    memory.levels.back().capacity.reset();
    memory.levels.back().bandwidth = BytesPerSecond{1'000'000'000};
  });
}

Duration taken(const DeviceSpec& device, const Program& program) {
  return run_fully(device, workload_of({kernel_of(1, 1, program)})).record.duration();
}

Step load_ahead(std::int64_t bytes) { return Memory{Bytes{bytes}, true}; }

}  // namespace

TEST_CASE("a fence costs one latency of the fastest memory level that all cores share") {
  CHECK(taken(device_with_levels(), {Fence{}}) == ns(200));
  CHECK(taken(device_with_levels(), {compute(ns(7)), Loop{3, {Fence{}}}}) == ns(607));
  const auto without_l2 =
      with(device_with_levels(), [](DeviceSpec& d) { d.memory->levels.erase(d.memory->levels.begin() + 1); });
  CHECK(taken(without_l2, {Fence{}}) == ns(500));
}

TEST_CASE("a fence begins when all loads of its thread have ended") {
  CHECK(taken(device_with_levels(), {load_ahead(100), Fence{}}) == ns(100 + 500 + 200));
  CHECK(taken(device_with_levels(), {load_ahead(100), compute(ns(900)), Fence{}}) == ns(900 + 200));
  // After a fence, no load is outstanding: kMaxOutstanding may begin again.
  const Program half(kMaxOutstanding / 2 + 1, load_ahead(1));
  Program twice = half;
  twice.emplace_back(Fence{});
  twice.insert(twice.end(), half.begin(), half.end());
  CHECK(can_run(device_with_levels(), device_with_levels().dispatch, workload_of({kernel_of(1, 1, twice)})));
}

TEST_CASE("a fence needs a memory, and is no work on a device without latencies, which a note says") {
  const auto issues_in = [](const DeviceSpec& device) {
    return compile(device, device.dispatch, workload_of({kernel_of(1, 1, {compute(ns(1)), Fence{}})})).issues();
  };
  REQUIRE(issues_in(one_core()).size() == 1);
  CHECK_THAT(issues_in(one_core())[0].message,
             Catch::StartsWith("orders accesses to global memory, but the model of small does not say how fast its "));
  const auto timeless = with(device_with_levels(), [](DeviceSpec& d) {
    d.memory->levels.erase(d.memory->levels.begin(), d.memory->levels.begin() + 2);
    d.memory->levels[0].latency.reset();
  });
  CHECK(issues_in(timeless).empty());
  CHECK(taken(timeless, {compute(ns(1)), Fence{}}) == ns(1));
  const auto notes = notes_of(timeless, workload_of({kernel_of(1, 1, {compute(ns(1)), Fence{}})}));
  REQUIRE_FALSE(notes.empty());
  CHECK_THAT(notes[0], Catch::Contains("has no memory latency"));
  CHECK_FALSE(can_run(timeless, timeless.dispatch, workload_of({kernel_of(1, 1, {Fence{}})})));
}
