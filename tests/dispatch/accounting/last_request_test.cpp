#include "dispatch/dispatch_bench.hpp"

#include <catch2/catch.hpp>

#include <cstdint>

// Contexts stay free because of the launch that waits, even if a launch with nothing left was evaluated after it.

using namespace gdsim;
using namespace gdsim::testing;

TEST_CASE("that a launch waits behind one that has nothing left costs no evaluation of cores") {
  constexpr std::uint32_t kCores = 20;
  for (const KernelChoice choice : {KernelChoice::skip_blocked, KernelChoice::round_robin}) {
    const DeviceSpec device = with(small_device(), [&](DeviceSpec& d) {
      d.cores = kCores;
      d.dispatch.kernel_choice = choice;
      d.dispatch.placement = "most_room";
    });
    // Half of each core is taken, so big fits on none; each launch of small has one work-group.
    Workload workload = workload_of(
        {kernel_of(kCores, 4, {compute(us(1))}), kernel_of(1, 8, {compute(us(1))}), kernel_of(1, 1, {compute(us(1))})});
    constexpr std::uint32_t kSmall = 10;
    for (std::uint32_t i = 1; i < kSmall; ++i) workload.launches.push_back({"s" + std::to_string(i), KernelId{2}, {}});
    DispatchBench bench(device, workload);
    Dispatching& dispatching = bench.dispatching;
    dispatching.arrive(launch(0), at(us(0)), at(us(0)));
    REQUIRE(dispatching.take_turn(at(us(0))).size() == kCores);
    dispatching.arrive(launch(1), at(us(0)), at(us(0)));
    REQUIRE(dispatching.take_turn(at(us(0))).empty());
    for (std::uint32_t i = 0; i < kSmall; ++i) {
      dispatching.arrive(launch(2 + i), at(us(1 + i)), at(us(1 + i)));
      const std::uint64_t before = dispatching.evaluations();
      REQUIRE(dispatching.take_turn(at(us(1 + i))).size() == 1);
      // One evaluation for the core that takes it, and the first time one for each core for small, which may fit; not
      // one for each core for big, which was refused.
      CHECK(dispatching.evaluations() - before == (i == 0 ? kCores + 1 : 1));
    }
    for (const IdleUse& use : dispatching.accounts().take_idle(at(us(1 + kSmall)))) {
      INFO(index_of(use.core));
      CHECK(use.kernel == KernelId{1});
    }
  }
}
