#include "run/sharing.hpp"

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

// Threads that share the banks of SLM, against closed forms.

TEST_CASE("sixteen banks: stride 16 takes exactly 16 times as long as stride 1") {
  const SlmAccess banks{16, Bytes{4}, {}};
  for (const std::uint32_t lanes : {16U, 32U}) {
    CHECK(cycles_per_access(banks, lanes, 1, 4) == lanes / 16);
    CHECK(cycles_per_access(banks, lanes, 16, 4) == lanes);
    CHECK(cycles_per_access(banks, lanes, 0, 4) == 1);  // the same word for all
    CHECK(cycles_per_access(banks, lanes, 17, 4) == lanes / 16);
    CHECK(cycles_per_access(banks, lanes, 1, 8) == lanes / 8);
    CHECK(cycles_per_access(banks, lanes, 1, 1) == 1);  // four lanes in a word
  }
  const auto run = [&](std::uint64_t stride, StepTime latency) {
    const DeviceSpec device = with(device_of(1, 8), [&](DeviceSpec& d) {
      d.clock = Hertz{1'000'000'000};
      d.sub_group_sizes = {32};
      d.slm_access = SlmAccess{16, Bytes{4}, latency};
    });
    Kernel kernel = kernel_of(1, 1, {Slm{100, stride, 4}});
    kernel.sub_group = 32;
    kernel.range.local[2] = kernel.range.global[2] = 64;
    return duration(device, workload_of({kernel}));
  };
  CHECK(run(1, {}) == ns(400));  // two threads of two cycles per access
  CHECK(run(16, {}) == ns(6'400));
  CHECK(run(16, step_time(ns(28))) == ns(6'428));
  CHECK(run(0, {}) == ns(200));  // a broadcast: two threads of one cycle per access
}

TEST_CASE("a thread of which few lanes hold a work-item accesses the banks, and atomic addresses, for these alone") {
  const DeviceSpec device = with(device_of(1, 8), [](DeviceSpec& d) {
    d.clock = Hertz{1'000'000'000};
    d.sub_group_sizes = {32};
    d.slm_access = SlmAccess{16, Bytes{4}, {}};
    d.atomics.slm = Decimal::whole(1);
  });
  const auto run = [&](std::uint64_t work_items, Step step) {
    Kernel kernel = kernel_of(1, 1, {std::move(step)});
    kernel.sub_group = 32;
    kernel.range.local[2] = kernel.range.global[2] = work_items;
    return duration(device, workload_of({kernel}));
  };
  CHECK(run(32, Slm{100, 16, 4}) == ns(3'200));
  CHECK(run(8, Slm{100, 16, 4}) == ns(800));
  CHECK(run(33, Slm{100, 16, 4}) == ns(3'300));  // the second thread accesses one word
  CHECK(run(64, Slm{100, 16, 4}) == ns(6'400));
  CHECK(run(32, Atomic{10, 1, AtomicSpace::slm}) == ns(320));
  CHECK(run(33, Atomic{10, 1, AtomicSpace::slm}) == ns(330));
}

TEST_CASE(
    "accesses that are served side by side share the bytes per cycle, and conflicts still follow from the stride") {
  const auto run = [&](std::uint64_t stride, std::uint64_t threads) {
    const DeviceSpec device = with(device_of(1, 16), [&](DeviceSpec& d) {
      d.clock = Hertz{1'000'000'000};
      d.sub_group_sizes = {16};
      d.max_work_group_size = 256;
      d.slm_access = SlmAccess{16, Bytes{4}, {}, 8};
    });
    Kernel kernel = kernel_of(1, 1, {Slm{100, stride, 4}});
    kernel.sub_group = 16;
    kernel.range.local[2] = kernel.range.global[2] = 16 * threads;
    return duration(device, workload_of({kernel}));
  };
  CHECK(run(1, 1) == ns(100));  // 64 B per cycle: one access of a thread at a time
  CHECK(run(1, 8) == ns(100));  // 512 B per cycle
  CHECK(run(1, 16) == ns(200));
  CHECK(run(16, 16) == ns(3'200));
}
