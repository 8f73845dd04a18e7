#include "run/sharing.hpp"

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

// Threads that synchronize at barriers, also named ones, and signal each other.

TEST_CASE("a barrier's cost grows with the threads of the work-group, and they stall meanwhile") {
  const DeviceSpec device = with(device_of(1, 8), [](DeviceSpec& d) {
    d.barrier_cost.base = step_time(ns(30));
    d.barrier_cost.per_thread = step_time(ns(2));
  });
  for (const std::uint64_t threads : {1, 2, 5, 8}) {
    const FullRun run =
        run_fully(device, workload_of({kernel_of(1, threads, {compute(ns(10)), barrier(), compute(ns(10))})}));
    CHECK(run.record.duration() == ns(50 + 2 * static_cast<std::int64_t>(threads)));
    CHECK(spent(run, Activity::barrier) == Int128{threads} * (30 + 2 * threads) * 1000);
  }
}

TEST_CASE("threads that do different things: a producer and its consumers") {
  // Thread 0 loads for 10 ns and signals; the others wait for it, then all work for 5.
  const Program program{Only{{{0, 0}}, {compute(ns(10)), Signal{"full"}}}, Only{{{1, 3}}, {Wait{"full"}}},
                        compute(ns(5))};
  const FullRun run = run_fully(device_of(1, 8), workload_of({kernel_of(1, 4, program)}));
  CHECK(run.record.duration() == ns(15));
  CHECK(spent(run, Activity::barrier) == 30'000);
}

TEST_CASE("a ring of producers and consumers completes iteration after iteration") {
  // The producer is faster: the consumers' three iterations of 7 ns begin when the first item is there.
  const Program program{
      Only{{{0, 0}}, {loop(3, {compute(ns(2)), Signal{"full"}})}},
      Only{{{1, 1}}, {loop(3, {Wait{"full"}, compute(ns(7))})}},
  };
  CHECK(duration(device_of(1, 8), workload_of({kernel_of(1, 2, program)})) == ns(2 + 3 * 7));
}

TEST_CASE("a consumer ends when its producer lets it, whichever of them is faster") {
  const auto end = [](Duration producer, Duration consumer) {
    const Program body{Only{{{0, 0}}, {compute(producer), Signal{"full"}}},
                       Only{{{1, 1}}, {Wait{"full"}, compute(consumer)}}};
    return duration(device_of(1, 8), workload_of({kernel_of(1, 2, {loop(100, body)})}));
  };
  CHECK(end(ns(3), ns(5)) == ns(3 + 500));
  CHECK(end(ns(5), ns(3)) == ns(500 + 3));
}

TEST_CASE("two producers of one barrier run apart, and together again") {
  const auto producing = [](Duration first, Duration second) {
    return Program{loop(100, {compute(first), Signal{"full"}}), loop(100, {compute(second), Signal{"full"}})};
  };
  const Program program{Only{{{0, 0}}, producing(ns(2), ns(7))}, Only{{{1, 1}}, producing(ns(5), ns(3))},
                        Only{{{2, 2}}, {loop(200, {Wait{"full"}, compute(ns(1))})}}};
  CHECK(duration(device_of(1, 8), workload_of({kernel_of(1, 3, program)})) == ns(900 + 1));
}

TEST_CASE("a named barrier is for the threads that have it in their program") {
  const Program program{Only{{{0, 1}}, {compute(ns(1)), Barrier{"pair"}, compute(ns(1))}},
                        Only{{{2, 3}}, {compute(ns(9))}}};
  const FullRun run = run_fully(device_of(1, 8), workload_of({kernel_of(1, 4, program)}));
  CHECK(run.record.outcome == Outcome::completed);
  CHECK(run.record.duration() == ns(9));
  CHECK(spent(run, Activity::barrier) == 0);
}

TEST_CASE("a thread that signals twice is not two threads that signal once") {
  const Program program{Only{{{0, 0}}, {Signal{"x"}, Signal{"x"}}}, Only{{{1, 1}}, {compute(us(10)), Signal{"x"}}},
                        Only{{{2, 2}}, {Wait{"x"}}}, compute(us(1))};
  const FullRun run = run_fully(device_of(1, 4), workload_of({kernel_of(1, 3, program)}));
  CHECK(run.record.duration() == us(11));
  CHECK(spent(run, Activity::barrier) == 10'000'000);
}
