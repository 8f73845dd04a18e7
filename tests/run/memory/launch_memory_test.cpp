#include "support/builders.hpp"

#include <gdsim/compile/compile.hpp>
#include <gdsim/run/simulate.hpp>

#include <catch2/catch.hpp>

#include <malloc.h>

#include <algorithm>

using namespace gdsim;
using namespace gdsim::testing;

// AddressSanitizer has a heap of its own, which malloc() does not count.
#ifndef GDSIM_UNDER_SANITIZERS
namespace {

/// The bytes that are allocated by malloc() and not freed.
std::size_t heap_bytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

/// Measures the heap whenever a launch begins or ends.
class HeapWatch : public Observer {
 public:
  void on_instant(const Instant&) override { max_ = std::max(max_, heap_bytes()); }
  std::size_t max() const { return max_; }

 private:
  std::size_t max_ = 0;
};

constexpr std::size_t kLaunches = 200'000;

/// The peak of bytes per launch that compile() and simulate() allocate, without the workload itself.
std::size_t bytes_per_launch(const DeviceSpec& device, QueueOrder order) {
  Workload workload = workload_of({kernel_of(1, 2, {compute(ps(10))})});
  workload.queues = {{"queue", order, {}}};
  workload.launches.assign(kLaunches, workload.launches.front());
  for (Launch& launch : workload.launches) launch.queue = QueueId{0};
  HeapWatch watch;
  RunOptions options;
  options.observers = {&watch};
  const std::size_t before = heap_bytes();
  simulate(compile_in_place(device, device.dispatch, workload).value(), options);
  return (watch.max() - before) / kLaunches;
}

}  // namespace

TEST_CASE("a launch takes at most 300 bytes beside the workload") {
  constexpr std::size_t max = 300;
  CHECK(bytes_per_launch(one_core(), QueueOrder::out_of_order) <= max);
  CHECK(bytes_per_launch(one_core(), QueueOrder::in_order) <= max);
  DeviceSpec slow_host = one_core();
  slow_host.submit_overhead = ps(2);
  slow_host.launch_latency = ps(3);
  slow_host.dependency_gap = ps(4);
  CHECK(bytes_per_launch(slow_host, QueueOrder::out_of_order) <= max);
  CHECK(bytes_per_launch(slow_host, QueueOrder::in_order) <= max);
}
#endif
