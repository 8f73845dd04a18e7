#include "run/sharing.hpp"

#include <catch2/catch.hpp>

#include <stop_token>

using namespace gdsim;
using namespace gdsim::testing;

// Asynchronous loads against closed forms. A byte of memory takes a nanosecond for the whole device.

namespace {

Step prefetch(std::int64_t bytes) { return Memory{Bytes{bytes}, true}; }
Step wait_for(std::uint64_t outstanding) { return WaitMemory{outstanding}; }

FullRun run_program(const Program& program, std::uint64_t groups = 1, std::uint64_t threads = 1) {
  return run_fully(device_of(2, 16), workload_of({kernel_of(groups, threads, program)}));
}

Duration taken(const Program& program, std::uint64_t groups = 1, std::uint64_t threads = 1) {
  return run_program(program, groups, threads).record.duration();
}

Issues issues_in(const Program& program, std::uint64_t threads = 1) {
  const DeviceSpec device = device_of(2, 16);
  return compile(device, device.dispatch, workload_of({kernel_of(1, threads, program)})).issues();
}

}  // namespace

TEST_CASE("a thread computes while its load is under way, and waits for what is left") {
  CHECK(taken({prefetch(100), compute(ns(30)), wait_for(0), compute(ns(1))}) == ns(101));
  CHECK(taken({prefetch(100), compute(ns(300)), wait_for(0), compute(ns(1))}) == ns(301));
  CHECK(taken({memory(100), compute(ns(30)), compute(ns(1))}) == ns(131));
}

TEST_CASE("a thread ends only when its loads have") {
  CHECK(taken({prefetch(100), compute(ns(30))}) == ns(100));
  CHECK(taken({compute(ns(30)), prefetch(100)}) == ns(130));
  CHECK(taken({prefetch(100), Only{{{1, 1}}, {compute(ns(300))}}}, 1, 2) == ns(300));
}

TEST_CASE("two loads of a thread share the memory as two threads would") {
  // 50 and 150 B: together until 100 ns, then the second one alone.
  CHECK(taken({prefetch(50), prefetch(150), wait_for(1), compute(ns(1'000))}) == ns(1'100));
  CHECK(taken({prefetch(50), prefetch(150), wait_for(0), compute(ns(1'000))}) == ns(1'200));
  CHECK(taken({prefetch(50), memory(150), compute(ns(1'000))}) == ns(1'200));
  CHECK(taken({prefetch(150), memory(50), compute(ns(1'000))}) == ns(1'100));
}

TEST_CASE("loads end in the order in which they were begun: one that is back early waits for the older one") {
  CHECK(taken({prefetch(150), prefetch(50), wait_for(1), compute(ns(1'000))}) == ns(1'200));
  CHECK(taken({prefetch(150), prefetch(50), wait_for(0), compute(ns(1'000))}) == ns(1'200));
}

TEST_CASE("as many loads as may stay outstanding are not waited for") {
  const Program three{prefetch(100), prefetch(100), prefetch(100)};
  for (const std::uint64_t left : {3, 4, 63}) {
    Program program = three;
    program.push_back(wait_for(left));
    program.push_back(compute(ns(1'000)));
    CHECK(taken(program) == ns(1'000));
  }
}

TEST_CASE("with two buffers, a tile takes as long as its load or its computation, whichever is longer") {
  const auto two_buffers = [](Duration work) {
    return taken({prefetch(100), loop(99, {prefetch(100), wait_for(1), compute(work)}), wait_for(0), compute(work)});
  };
  const auto one_buffer = [](Duration work) { return taken({loop(100, {memory(100), compute(work)})}); };
  CHECK(one_buffer(ns(70)) == ns(100 * 170));
  CHECK(one_buffer(ns(130)) == ns(100 * 230));
  // The first two loads share the memory and end together; the third begins after the work on the first tile.
  CHECK(two_buffers(ns(70)) == ns(100 * 100 + 70 + 70));
  CHECK(two_buffers(ns(130)) == ns(200 + 100 * 130));
}

TEST_CASE("a load is under way as a whole: its core and the memory limit it, not what a thread has in flight") {
  const auto with_limits = [](std::optional<Bytes> of_core) {
    return with(device_of(2, 16), [&](DeviceSpec& device) {
      device.memory->in_flight = Bytes{100};
      device.memory->core_in_flight = of_core;
      device.memory->levels[0].latency = picoseconds(500'000);
      device.memory->levels[0].bandwidth = BytesPerSecond{100'000'000'000};
    });
  };
  const auto time_of = [&](const Program& program, std::optional<Bytes> of_core) {
    return run_fully(with_limits(of_core), workload_of({kernel_of(1, 1, program)})).record.duration();
  };
  CHECK(time_of({memory(1000), memory(1000)}, std::nullopt) == us(10));
  // 2,000 B at 100 GB/s, and the latency of the last.
  for (const Program& program : {Program{prefetch(1000), prefetch(1000)}, Program{prefetch(2000)}})
    CHECK(time_of(program, std::nullopt) == ns(520));
  // 200 B per 500 ns for 4,000 B, and the last latency.
  for (const Program& program :
       {Program{prefetch(1000), prefetch(1000), prefetch(1000), prefetch(1000)}, Program{prefetch(4000)}})
    CHECK(time_of(program, Bytes{200}) == ps(10'500'000));
}

TEST_CASE("a thread that waits for a load waits for others in the memory, not for what it would take alone") {
  const FullRun alone = run_program({prefetch(100), compute(ns(30)), wait_for(0)});
  CHECK(spent(alone, Activity::executing) == 30'000);
  CHECK(spent(alone, Activity::access) == 70'000);
  CHECK(spent(alone, Activity::memory) == 0);
  const FullRun four = run_program({prefetch(100), compute(ns(30)), wait_for(0)}, 4);
  CHECK(four.record.duration() == ns(400));
  CHECK(spent(four, Activity::executing) == 4 * 30'000);
  CHECK(spent(four, Activity::access) == 4 * 70'000);
  CHECK(spent(four, Activity::memory) == 4 * 300'000);
}

TEST_CASE("threads that wait for a load are running") {
  const FullRun run = run_program({prefetch(100), wait_for(0)}, 1, 3);
  const auto& phases = run.record.phases.phases;
  REQUIRE(phases.size() == 1);
  CHECK(phases[0].running_time == Int128{3} * phases[0].duration().count);
}

TEST_CASE("each iteration with loads under way takes as long as the one before") {
  const std::vector<Program> bodies{{prefetch(64), compute(ns(6)), wait_for(0)},
                                    {prefetch(8), wait_for(1), compute(ns(7))},
                                    {prefetch(9), prefetch(5), compute(ns(3)), wait_for(3), barrier()},
                                    {Only{{{0, 0}}, {prefetch(16), wait_for(1)}}, compute(ns(40)), barrier()}};
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    CAPTURE(i);
    const DeviceSpec device = device_of(2, 8);
    const auto duration = [&](std::uint64_t count) {
      const Workload workload = workload_of({kernel_of(3, 2, {loop(count, bodies[i]), compute(ns(1))})});
      return simulate(device, device.dispatch, workload).record.duration();
    };
    const Duration iterations = duration(1'500) - duration(1'000);
    CHECK(duration(4'000) == duration(1'000) + ps(iterations.count * 6));
  }
}

TEST_CASE("a thread may have 64 loads outstanding and no more") {
  CHECK(issues_in({loop(64, {prefetch(8)}), compute(ns(1))}).empty());
  CHECK(issues_in({loop(1'000'000, {prefetch(8), wait_for(63)}), compute(ns(1))}).empty());
  CHECK(issues_in({loop(9, {loop(9, {prefetch(8)}), wait_for(8)}), compute(ns(1))}).empty());
  const Issues issues = issues_in({loop(65, {prefetch(8)}), compute(ns(1))});
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].path == "kernels[0].program");
  CHECK_THAT(issues[0].message, Catch::Contains("thread 0 may have more than 64 asynchronous loads outstanding") &&
                                    Catch::Contains("`- wait_memory: {outstanding: 1}`"));
  CHECK(issues_in({loop(9, {loop(9, {prefetch(8)})}), compute(ns(1))}).size() == 1);
  CHECK(issues_in({prefetch(8), loop(2, {loop(8, {prefetch(8)}), wait_for(60), loop(4, {prefetch(8)})})}).empty());
  CHECK(issues_in({prefetch(8), loop(2, {loop(8, {prefetch(8)}), wait_for(61), loop(60, {prefetch(8)})})}).size() == 1);
  CHECK(issues_in({Only{{{1, 1}}, {loop(65, {prefetch(8)})}}, compute(ns(1))}, 2).size() == 1);
}

TEST_CASE("a loop in which a thread only waits for loads that it has not takes no time, and must end") {
  const auto iterations = [](std::uint64_t count) {
    return issues_in(
        {Only{{{0, 0}}, {loop(3, {prefetch(8)})}}, loop(count, {Only{{{0, 0}}, {prefetch(8)}}, wait_for(0)})}, 2);
  };
  CHECK(iterations(65'536).empty());
  REQUIRE(iterations(65'537).size() == 1);
  CHECK_THAT(iterations(65'537)[0].message,
             Catch::Contains("thread 1") && Catch::Contains("65536 iterations; this one has 65537"));
}

TEST_CASE("a run that is stopped while threads wait for a load has booked their time") {
  const DeviceSpec device = device_of(2, 16);
  const Workload workload = workload_of({kernel_of(2, 1, {prefetch(100), wait_for(0)})});
  std::stop_source stop;
  stop.request_stop();
  RunOptions options;
  options.stop = stop.get_token();
  const RunResult result = simulate(compile(device, device.dispatch, workload).value(), options);
  Int128 sum = 0;
  for (const CoreTimeUse& one : result.record.time_use) sum += one.use.sum();
  CHECK(sum == Int128{2} * result.record.duration().count);
}
