#include "support/builders.hpp"

#include <gdsim/base/check.hpp>
#include <gdsim/device/core_resources.hpp>
#include <gdsim/model/draws.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

// Threads that share issue slots, banks and memory, against closed forms.

namespace {

StepTime time(Duration length) { return {Decimal::whole(static_cast<std::uint64_t>(length.count)), {}}; }
Step issue(Duration slots) { return IssueSlots{time(slots)}; }
Step memory(std::int64_t bytes) { return Memory{Bytes{bytes}}; }
Step loop(std::uint64_t count, Program body) { return Loop{count, std::move(body)}; }

constexpr BytesPerSecond gigabytes(std::int64_t count) { return {count * 1'000'000'000}; }

/// One level of this bandwidth: 1 GB/s is a byte per nanosecond.
MemoryRule flat_memory(BytesPerSecond bandwidth) {
  MemoryRule rule;
  rule.levels.push_back({"DRAM", std::nullopt, bandwidth, std::nullopt});
  return rule;
}

/// Cores of one engine with this many contexts, dealt out in turn.
DeviceSpec device_of(std::uint32_t cores, std::uint32_t contexts, std::uint32_t engines = 1) {
  return with(small_device(), [&](DeviceSpec& d) {
    d.cores = cores;
    d.engines_per_core = engines;
    d.contexts_per_engine = contexts;
    d.max_work_group_size = 8 * contexts * engines;
    d.dispatch.placement = "round_robin";
    d.memory = flat_memory(gigabytes(1));
  });
}

SimTime end_of(const FullRun& run, std::uint64_t number, std::uint32_t of = 0) {
  return run.work_groups.of(launch(of))[number].ended.value();
}

Duration duration(const DeviceSpec& device, const Workload& workload) {
  return run_fully(device, workload).record.duration();
}

/// Thread-picoseconds of all cores and kernels.
Int128 spent(const FullRun& run, TimeKind kind) {
  Int128 sum = 0;
  for (const CoreTimeUse& one : run.record.time_use) sum += one.use.of(kind);
  return sum;
}

}  // namespace

TEST_CASE("k threads on one engine end at k times their work, exactly") {
  for (const std::uint64_t k : {1, 2, 3, 7, 13}) {
    const FullRun run = run_fully(device_of(1, 16), workload_of({kernel_of(1, k, {issue(ps(1'000'003))})}));
    CHECK(run.record.duration() == ps(static_cast<std::int64_t>(k) * 1'000'003));
    CHECK(spent(run, TimeKind::executing) == Int128{k} * 1'000'003);
    CHECK(spent(run, TimeKind::issue) == Int128{k} * Int128{k - 1} * 1'000'003);
  }
}

TEST_CASE("threads that arrive at different times share by the processor-sharing formula") {
  // Work 10 from 0, work 10 from 4: 6 left of the first and 10 of the second share from 4; the first ends at 4 + 2 x 6,
  // the second with the last 4 alone at 16 + 4.
  Workload workload = workload_of({kernel_of(1, 1, {issue(ps(10))}), kernel_of(1, 1, {compute(ps(4)), issue(ps(10))})});
  workload.launches[1].after = {};
  const FullRun run = run_fully(device_of(1, 4), workload);
  CHECK(end_of(run, 0, 0) == at(ps(16)));
  CHECK(end_of(run, 0, 1) == at(ps(20)));
}

TEST_CASE("threads on different engines do not share issue slots, on fused engines they do from the third on") {
  const Workload two = workload_of({kernel_of(1, 2, {issue(ns(10))})});
  const Workload three = workload_of({kernel_of(1, 3, {issue(ns(10))})});
  CHECK(duration(device_of(1, 4, 2), two) == ns(10));
  CHECK(duration(device_of(1, 4, 2), three) == ns(20));
  const DeviceSpec fused = with(device_of(1, 4, 2), [](DeviceSpec& d) { d.fused_engines = 2; });
  CHECK(duration(fused, two) == ns(10));
  CHECK(duration(fused, three) == ns(15));
}

TEST_CASE("a run that is limited by bandwidth takes bytes / bandwidth, exactly") {
  CHECK(duration(device_of(1, 8), workload_of({kernel_of(1, 1, {memory(1000)})})) == us(1));
  CHECK(duration(device_of(4, 8), workload_of({kernel_of(16, 2, {memory(1000)})})) == us(32));
  const DeviceSpec odd = with(device_of(3, 8), [](DeviceSpec& d) { d.memory = flat_memory(gigabytes(7)); });
  CHECK(duration(odd, workload_of({kernel_of(6, 3, {memory(7'000'000)})})) == us(18'000));
}

TEST_CASE("a thread alone gets what it has in flight per latency, and no less than a latency") {
  const DeviceSpec device = with(device_of(1, 8), [](DeviceSpec& d) {
    d.memory->in_flight = Bytes{100};
    d.memory->levels[0].latency = time(ns(500));
    d.memory->levels[0].bandwidth = gigabytes(100);
  });
  CHECK(duration(device, workload_of({kernel_of(1, 1, {memory(1000)})})) == us(5));
  CHECK(duration(device, workload_of({kernel_of(1, 4, {memory(1000)})})) == us(5));
  CHECK(duration(device, workload_of({kernel_of(1, 1, {memory(10)})})) == ps(500'100));  // 10 B at 100 B/ns
}

TEST_CASE("without a limit in flight, a step is answered one latency after it was served") {
  const DeviceSpec device = with(device_of(1, 8), [](DeviceSpec& d) {
    d.memory->levels[0].latency = time(ns(500));
    d.memory->levels[0].bandwidth = gigabytes(100);
  });
  CHECK(duration(device, workload_of({kernel_of(1, 1, {memory(1000)})})) == ns(510));
  CHECK(duration(device, workload_of({kernel_of(1, 4, {memory(1000)})})) == ns(540));
  CHECK(duration(device, workload_of({kernel_of(1, 1, {memory(1000), memory(1000)})})) == ns(1020));
}

TEST_CASE("the threads of a core have no more under way than it can keep track of") {
  // 200 B per 500 ns and core, for any threads: 8 threads of 1,000 B take 20 us and the last latency.
  const DeviceSpec device = with(device_of(2, 8), [](DeviceSpec& d) {
    d.memory->in_flight = Bytes{100};
    d.memory->core_in_flight = Bytes{200};
    d.memory->levels[0].latency = time(ns(500));
    d.memory->levels[0].bandwidth = gigabytes(100);
  });
  CHECK(duration(device, workload_of({kernel_of(1, 1, {memory(1000)})})) == us(5));
  CHECK(duration(device, workload_of({kernel_of(1, 8, {memory(1000)})})) == ps(20'500'000));
  CHECK(duration(device, workload_of({kernel_of(2, 8, {memory(1000)})})) == ps(20'500'000));
}

TEST_CASE("memory is shared max-min: what some cores cannot use, others get") {
  // A core moves at most 12 B/ns. Cores of 1, 2 and 6 threads: caps 12, 6 and 2 B/ns each. Of 27 B/ns, the six take 12,
  // and the other three share 15: 5 each. The six move 2,000 B in 1 us, the three 5,000 B.
  const DeviceSpec device = with(device_of(3, 8), [](DeviceSpec& d) {
    d.memory = flat_memory(gigabytes(27));
    d.memory->core_bandwidth = gigabytes(12);
  });
  const Workload workload =
      workload_of({kernel_of(1, 1, {memory(5000)}), kernel_of(1, 2, {memory(5000)}), kernel_of(1, 6, {memory(2000)})});
  const FullRun run = run_fully(device, workload);
  for (std::uint32_t kernel = 0; kernel < 3; ++kernel) CHECK(end_of(run, 0, kernel) == at(us(1)));
  // Alone, a thread would have had a whole core's 12 B/ns: 27,000 B / 12, each cohort's part rounded down.
  const Int128 executing = spent(run, TimeKind::executing);
  CHECK((executing <= 2'250'000 && executing > 2'250'000 - 9));
}

TEST_CASE("threads that read in bursts of their own lengths all end, the memory never idle") {
  // Some are done at an instant only because what they were served was rounded up: they end a picosecond later.
  const DeviceSpec device = with(device_of(6, 8), [](DeviceSpec& d) {
    d.memory->in_flight = Bytes{64};
    d.memory->levels[0].latency = time(ns(150));
  });
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Kernel kernel = kernel_of(6, 8, {loop(60, {compute(ns(1)), memory(16)})});
    kernel.variation.draw = Draw{Distribution::normal, Decimal{1, -1}, DrawPer::thread, seed};
    const RunRecord record = simulate(device, device.dispatch, workload_of({kernel})).record;
    CHECK(record.outcome == Outcome::completed);
    CHECK(record.duration() >= ns(6 * 8 * 60 * 15));  // 16 B each, on the whole; 1 B/ns
    CHECK(record.duration() < ns(6 * 8 * 60 * 20));
  }
}

TEST_CASE("levels serve their shares of the working set") {
  // 4,000 B: 1,000 from a cache of 100 ns, 3,000 from a memory of 500 ns: 400 ns on average, 50 B in flight.
  const auto rule = [] {
    MemoryRule memory_rule;
    memory_rule.in_flight = Bytes{50};
    memory_rule.levels.push_back({"cache", Bytes{1000}, std::nullopt, time(ns(100))});
    memory_rule.levels.push_back({"DRAM", std::nullopt, gigabytes(1'000), time(ns(500))});
    return memory_rule;
  };
  const DeviceSpec device = with(device_of(1, 8), [&](DeviceSpec& d) { d.memory = rule(); });
  const auto run = [&](std::optional<Bytes> working_set) {
    return duration(
        device, workload_of({with(kernel_of(1, 1, {memory(1000)}), [&](Kernel& k) { k.working_set = working_set; })}));
  };
  CHECK(run(Bytes{4000}) == us(8));
  CHECK(run(Bytes{500}) == us(2));
  CHECK(run(std::nullopt) == us(10));  // it only streams
  // A level's bandwidth holds for its share only: 3/4 of what 8 threads move comes from DRAM.
  const DeviceSpec narrow = with(device, [&](DeviceSpec& d) {
    d.memory->levels[1].bandwidth = gigabytes(3);
    d.memory->in_flight.reset();
    d.memory->levels[0].latency.reset();
    d.memory->levels[0].bandwidth = gigabytes(1'000'000);  // as good as none
  });
  CHECK(duration(narrow, workload_of({with(kernel_of(1, 8, {memory(1000)}),
                                           [](Kernel& k) { k.working_set = Bytes{4000}; })})) == ns(2'375));
}

TEST_CASE("what all work-groups of a launch reuse counts once, beside what each reuses by itself") {
  // 100 ns from a cache of 1,000 B, 500 ns from DRAM, 50 B in flight: 1,000 B take 2 us if all is in the cache.
  const DeviceSpec device = with(device_of(2, 8), [](DeviceSpec& d) {
    d.memory.emplace();
    d.memory->in_flight = Bytes{50};
    d.memory->levels.push_back({"cache", Bytes{1000}, std::nullopt, time(ns(100))});
    d.memory->levels.push_back({"DRAM", std::nullopt, gigabytes(1'000'000), time(ns(500))});
  });
  const auto kernel = [&](std::uint64_t groups, std::optional<Bytes> own, std::optional<Bytes> shared) {
    return with(kernel_of(groups, 1, {memory(1000)}), [&](Kernel& k) {
      k.working_set = own;
      k.shared_working_set = shared;
    });
  };
  for (const std::uint64_t groups : {1, 2, 7}) {
    CHECK(duration(device, workload_of({kernel(groups, {}, Bytes{1000})})) == us(2));
    CHECK(duration(device, workload_of({kernel(groups, {}, Bytes{4000})})) == us(8));
    // 1,000 B of 600 + 200 per work-group fit.
    const std::int64_t all = 600 + 200 * static_cast<std::int64_t>(groups);
    const auto latency =
        100.0 + 400.0 * static_cast<double>(std::max<std::int64_t>(all - 1000, 0)) / static_cast<double>(all);
    const Duration taken = duration(device, workload_of({kernel(groups, Bytes{200}, Bytes{600})}));
    CHECK(static_cast<double>(taken.count) == Approx(20 * latency * 1000).epsilon(1e-4));
  }
  // Two launches beside each other have one each; a launch counts while it has a resident work-group.
  Workload two = workload_of({kernel(1, {}, Bytes{2000}), kernel(1, {}, Bytes{2000})});
  two.launches[1].after = {};
  CHECK(duration(device, two) == us(8));
  two.launches[1].after = {launch(0)};
  CHECK(duration(device, two) == us(12));
}

TEST_CASE("what work-groups take from each other's caches, they wait for") {
  // Alone, 1,000 B stay in the cache: 100 ns, 50 B in flight, 2 us. Four times as many come from DRAM by three
  // quarters: 400 ns, 8 us, of which 2 are the thread's own.
  const DeviceSpec device = with(device_of(1, 8), [](DeviceSpec& d) {
    d.memory.emplace();
    d.memory->in_flight = Bytes{50};
    d.memory->levels.push_back({"cache", Bytes{1000}, std::nullopt, time(ns(100))});
    d.memory->levels.push_back({"DRAM", std::nullopt, gigabytes(1'000), time(ns(500))});
  });
  const auto run = [&](std::uint64_t groups) {
    return run_fully(
        device,
        workload_of({with(kernel_of(groups, 1, {memory(1000)}), [](Kernel& k) { k.working_set = Bytes{1000}; })}));
  };
  CHECK(run(1).record.duration() == us(2));
  CHECK(spent(run(1), TimeKind::memory) == 0);
  const FullRun four = run(4);
  CHECK(four.record.duration() == us(8));
  CHECK(spent(four, TimeKind::executing) == Int128{4} * us(2).count);
  CHECK(spent(four, TimeKind::memory) == Int128{4} * us(6).count);
}

TEST_CASE("a core limits its threads from when others no longer slow them, although nothing happens on it") {
  // Four threads read from a core of 1 B/ns. At first a neighbour takes three quarters of the cache: 400 ns, 50 B in
  // flight, less than the core gives each. It ends after 8 us: 100 ns, and the core's quarter of 1 B/ns.
  const DeviceSpec device = with(device_of(2, 8), [](DeviceSpec& d) {
    d.memory.emplace();
    d.memory->in_flight = Bytes{50};
    d.memory->core_bandwidth = gigabytes(1);
    d.memory->levels.push_back({"cache", Bytes{1000}, std::nullopt, time(ns(100))});
    d.memory->levels.push_back({"DRAM", std::nullopt, gigabytes(1'000), time(ns(500))});
  });
  const Kernel reads = with(kernel_of(1, 4, {memory(16'000)}), [](Kernel& k) { k.working_set = Bytes{1000}; });
  const Kernel beside = with(kernel_of(1, 1, {compute(us(8))}), [](Kernel& k) { k.working_set = Bytes{3000}; });
  Workload workload = workload_of({reads, beside});
  workload.launches[1].after = {};
  const double before = 50.0 / 400 * 16'000 / 15'950 * 8'000;
  const double end = 8'000 + (16'000 - before) / 0.25 + 100;
  CHECK(static_cast<double>(duration(device, workload).count) == Approx(end * 1000).epsilon(1e-7));
}

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
  CHECK(run(16, time(ns(28))) == ns(6'428));
}

TEST_CASE("a barrier's cost grows with the threads of the work-group, and they stall meanwhile") {
  const DeviceSpec device = with(device_of(1, 8), [](DeviceSpec& d) {
    d.barrier_cost.base = time(ns(30));
    d.barrier_cost.per_thread = time(ns(2));
  });
  for (const std::uint64_t threads : {1, 2, 5, 8}) {
    const FullRun run =
        run_fully(device, workload_of({kernel_of(1, threads, {compute(ns(10)), barrier(), compute(ns(10))})}));
    CHECK(run.record.duration() == ns(50 + 2 * static_cast<std::int64_t>(threads)));
    CHECK(spent(run, TimeKind::barrier) == Int128{threads} * (30 + 2 * threads) * 1000);
  }
}

TEST_CASE("a loop takes as long as its iterations, whatever is in it") {
  const auto time_of = [](std::uint64_t count, const Program& body) {
    return duration(device_of(1, 8), workload_of({kernel_of(2, 2, {loop(count, body)})}));
  };
  CHECK(time_of(1000, {compute(ns(3))}) == us(3));
  CHECK(time_of(1000, {compute(ns(3)), compute(ns(4))}) == us(7));
  CHECK(time_of(1000, {memory(1)}) == us(4));
  CHECK(time_of(1000, {issue(ns(1))}) == us(4));
  CHECK(time_of(10, {loop(10, {loop(10, {compute(ns(3))})})}) == us(3));
  CHECK(time_of(100, {compute(ns(3)), barrier()}) == ns(300));
  CHECK(time_of(100, {memory(1), compute(ns(6))}) == us(1));
}

TEST_CASE("a million iterations cost as many events as ten if nothing happens between them") {
  const auto events = [](std::uint64_t count, const Program& body) {
    const DeviceSpec device = device_of(1, 8);
    const auto result = simulate(device, device.dispatch, workload_of({kernel_of(3, 2, {loop(count, body)})}));
    CHECK(result.record.outcome == Outcome::completed);
    return result.events;
  };
  const std::vector<Program> bodies{{compute(ns(3))}, {memory(1)}, {issue(ns(1))}, {compute(ns(3)), barrier()}};
  for (const Program& body : bodies) CHECK(events(1'000'000, body) == events(10, body));
}

TEST_CASE("a million recurring iterations cost a few iterations more than ten") {
  const std::vector<Program> bodies{{memory(1), compute(ns(6)), barrier()},
                                    {issue(ns(1)), compute(ns(6))},
                                    {issue(ns(1)), Slm{}, compute(ns(2)), barrier(), memory(64)},
                                    {loop(7, {issue(ns(1)), Barrier{"pair"}}), Signal{"done"}, Wait{"done"}},
                                    {loop(1'000, {issue(ns(3)), compute(ns(1))}), memory(1)},
                                    {Only{{{0, 0}}, {compute(ns(5))}}, issue(ns(2)), barrier()}};
  for (const std::uint64_t groups : {1, 3, 8}) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      CAPTURE(groups, i);
      const DeviceSpec device = with(device_of(2, 4, 2), [](DeviceSpec& d) {
        d.slm_access = SlmAccess{16, Bytes{4}, {}};
      });
      const std::uint64_t count = i == 4 ? 1'000 : 1'000'000;
      const Workload workload = workload_of({kernel_of(groups, 4, {loop(count, bodies[i]), compute(ns(1))})});
      const RunResult result = simulate(device, device.dispatch, workload);
      CHECK(result.record.outcome == Outcome::completed);
      CHECK(result.events < groups * 1'000'000 / 4);
    }
  }
}

TEST_CASE("threads that do different things: a producer and its consumers") {
  // Thread 0 loads for 10 ns and signals; the others wait for it, then all work for 5.
  const Program program{Only{{{0, 0}}, {compute(ns(10)), Signal{"full"}}}, Only{{{1, 3}}, {Wait{"full"}}},
                        compute(ns(5))};
  const FullRun run = run_fully(device_of(1, 8), workload_of({kernel_of(1, 4, program)}));
  CHECK(run.record.duration() == ns(15));
  CHECK(spent(run, TimeKind::barrier) == 30'000);
}

TEST_CASE("a ring of producers and consumers completes iteration after iteration") {
  // The producer is faster: the consumers' three iterations of 7 ns begin when the first item is there.
  const Program program{
      Only{{{0, 0}}, {loop(3, {compute(ns(2)), Signal{"full"}})}},
      Only{{{1, 1}}, {loop(3, {Wait{"full"}, compute(ns(7))})}},
  };
  CHECK(duration(device_of(1, 8), workload_of({kernel_of(1, 2, program)})) == ns(2 + 3 * 7));
}

TEST_CASE("a streaming thread leaves a rate for one that reads a byte in 2^40 from the same level") {
  DeviceSpec device = small_device();
  device.memory = MemoryRule{};
  device.memory->levels = {{"L2", Bytes{std::int64_t{1} << 40}, BytesPerSecond{1'000'000'000'000}, {}},
                           {"M", {}, BytesPerSecond{1'000'000'000}, {}}};
  Workload workload = workload_of({kernel_of(1, 1, {Memory{Bytes{1'024}}}), kernel_of(1, 1, {Memory{Bytes{1'024}}})});
  workload.kernels[1].working_set = Bytes{(std::int64_t{1} << 40) + 1};
  const FullRun run = run_fully(device, workload);
  CHECK(run.record.outcome == Outcome::completed);
  CHECK(run.record.end == at(ns(1'024)));  // the first has M for itself, but for 2^-30 bytes
}

TEST_CASE("in a knot of barriers none of which leads back to the first, each is looked at once") {
  // Threads 1 to 30 wait at a barrier of their own and would arrive at all others; thread 1 would then arrive at b0,
  // where thread 0 waits. There are 30! paths.
  constexpr std::uint32_t count = 30;
  const auto name = [](std::uint32_t number) { return "b" + std::to_string(number); };
  Program program{compute(ns(1)), Only{{{0, 0}}, {Barrier{name(0)}}}};
  for (std::uint32_t thread = 1; thread <= count; ++thread) {
    Program body{Barrier{name(thread)}};
    for (std::uint32_t other = 1; other <= count; ++other)
      if (other != thread) body.push_back(Barrier{name(other)});
    if (thread == 1) body.push_back(Barrier{name(0)});
    program.push_back(Only{{{thread, thread}}, body});
  }
  const FullRun run = run_fully(device_of(1, 64), workload_of({kernel_of(1, count + 1, program)}));
  CHECK(run.record.outcome == Outcome::deadlock);
  CHECK(run.record.deadlock.cycle.size() == 2);  // those of two of the 30
}

TEST_CASE("a named barrier is for the threads that have it in their program") {
  const Program program{Only{{{0, 1}}, {compute(ns(1)), Barrier{"pair"}, compute(ns(1))}},
                        Only{{{2, 3}}, {compute(ns(9))}}};
  const FullRun run = run_fully(device_of(1, 8), workload_of({kernel_of(1, 4, program)}));
  CHECK(run.record.outcome == Outcome::completed);
  CHECK(run.record.duration() == ns(9));
  CHECK(spent(run, TimeKind::barrier) == 0);
}

TEST_CASE("a barrier that some threads never reach stalls, and the record says which and where") {
  Step barrier_step = barrier();
  barrier_step.line = 12;
  const Program program{compute(ns(1)), Only{{{0, 2}}, {barrier_step}}};
  const FullRun run = run_fully(device_of(1, 8), workload_of({kernel_of(1, 4, program)}));
  CHECK(run.record.outcome == Outcome::deadlock);
  REQUIRE(run.record.deadlock.groups.size() == 1);
  const DeadlockedGroup& stalled = run.record.deadlock.groups[0];
  CHECK(stalled.waiting == 3);
  CHECK(stalled.ended == 1);
  CHECK(stalled.line == 12);
  CHECK(stalled.step == 2);
  CHECK(stalled.expected == 4);
}

TEST_CASE("a wait without a signal stalls, and so do two that wait for each other: the cycle is named") {
  const FullRun lonely = run_fully(device_of(1, 8), workload_of({kernel_of(1, 2, {compute(ns(1)), Wait{"x"}})}));
  CHECK(lonely.record.outcome == Outcome::deadlock);
  CHECK(lonely.record.deadlock.groups.at(0).expected == 0);
  CHECK(lonely.record.deadlock.cycle.empty());
  const Program crossed{compute(ns(1)), Only{{{0, 0}}, {Wait{"b"}, Signal{"a"}}},
                        Only{{{1, 1}}, {Wait{"a"}, Signal{"b"}}}};
  const FullRun run = run_fully(device_of(1, 8), workload_of({kernel_of(1, 2, crossed)}));
  CHECK(run.record.outcome == Outcome::deadlock);
  CHECK(run.record.deadlock.cycle.size() == 2);
}

TEST_CASE("a thread in a loop would still arrive at a barrier of its body, but for the last iteration") {
  // Thread 0 signals a and waits for b, `count` times; thread 1 waits for two of a where b was signalled `done` times.
  for (std::uint64_t count = 1; count <= 4; ++count)
    for (std::uint64_t done = 0; done < count; ++done) {
      Program other;
      for (std::uint64_t i = 0; i < done; ++i) {
        other.push_back(Wait{"a"});
        other.push_back(Signal{"b"});
      }
      other.insert(other.end(), {Wait{"a"}, Wait{"a"}, Signal{"b"}});
      const Program body{Signal{"a"}, compute(ns(1)), Wait{"b"}};
      const auto deadlock_of = [&](Program first) {
        const Program program{compute(ns(1)), Only{{{0, 0}}, std::move(first)}, Only{{{1, 1}}, other}};
        const FullRun run = run_fully(device_of(1, 8), workload_of({kernel_of(1, 2, program)}));
        CHECK(run.record.outcome == Outcome::deadlock);
        return run.record.deadlock;
      };
      const auto check = [&](const Deadlock& deadlock, bool would_arrive) {
        INFO("iteration " << done << " of " << count);
        REQUIRE(deadlock.groups.size() == 2);
        for (const DeadlockedGroup& one : deadlock.groups) {
          const bool is_a = one.name == "a";
          CHECK(one.waiting == 1);
          CHECK(one.awaited == (is_a ? done + 2 : done + 1));
          CHECK(one.happened == (is_a ? done + 1 : done));
          CHECK(one.held_by == (is_a ? would_arrive ? std::vector<std::string>{"b"} : std::vector<std::string>{}
                                     : std::vector<std::string>{"a"}));
        }
        CHECK(deadlock.cycle.size() == (would_arrive ? 2 : 0));
      };
      check(deadlock_of({loop(count, body)}), done + 1 < count);
      check(deadlock_of({loop(2, {loop(count, body)})}), true);  // if not in this loop, in the one around it
      check(deadlock_of({loop(count, body), Signal{"a"}}), true);
    }
}

TEST_CASE("drawn factors depend on seed and sample alone, have mean 1 and the spread asked for") {
  const auto kernel = [](DrawPer per, std::uint64_t seed, Distribution distribution) {
    return with(kernel_of(2'000, 1, {compute(us(1))}), [&](Kernel& k) {
      k.variation.draw = Draw{distribution, Decimal{1, -1}, per, seed};
    });
  };
  const auto lengths = [](const FullRun& run) {
    std::vector<double> all;
    for (const WorkGroupRecord& record : run.work_groups.of(launch(0)))
      all.push_back(static_cast<double>((record.ended.value() - record.first_placed).count) / 1e6);
    return all;
  };
  for (const Distribution distribution : {Distribution::normal, Distribution::lognormal, Distribution::uniform}) {
    const auto few = lengths(run_fully(device_of(1, 8), workload_of({kernel(DrawPer::work_group, 7, distribution)})));
    const auto many = lengths(run_fully(device_of(9, 8), workload_of({kernel(DrawPer::work_group, 7, distribution)})));
    const auto other = lengths(run_fully(device_of(1, 8), workload_of({kernel(DrawPer::work_group, 8, distribution)})));
    CHECK(few == many);
    CHECK(few != other);
    double sum = 0;
    double squares = 0;
    for (const double length : few) {
      sum += length;
      squares += length * length;
    }
    const double mean = sum / 2'000;
    CHECK(mean == Approx(1).margin(0.01));
    CHECK(squares / 2'000 - mean * mean == Approx(0.01).margin(0.001));
  }
  // To the bit, on every machine.
  const auto factor = [](Distribution distribution) {
    return static_cast<std::uint64_t>(draw_factor(Draw{distribution, Decimal{1, -1}, {}, 1}, {launch(2), group(3), 4}));
  };
  CHECK(factor(Distribution::normal) == 942'571'987);
  CHECK(factor(Distribution::lognormal) == 939'638'191);
  CHECK(factor(Distribution::uniform) == 924'790'587);
}

TEST_CASE("threads that draw for themselves meet at their work-group's barrier") {
  Kernel kernel = with(kernel_of(1, 8, {compute(us(1)), barrier(), compute(us(1))}), [](Kernel& k) {
    k.variation.draw = Draw{Distribution::uniform, Decimal{3, -1}, DrawPer::thread, 5};
  });
  const FullRun run = run_fully(device_of(1, 8), workload_of({kernel}));
  CHECK(run.record.outcome == Outcome::completed);
  CHECK(spent(run, TimeKind::barrier) > 0);
  CHECK(run.timeline.size() > 10);  // they begin and end one by one
}

TEST_CASE("an iteration is like the one before only within the same execution of its loop") {
  const Program program{loop(2, {loop(3, {issue(ns(100)), compute(ns(100))}), compute(us(1))})};
  CHECK(duration(device_of(1, 4), workload_of({kernel_of(1, 1, program)})) == ns(3'200));
}

TEST_CASE("iterations are not fast-forwarded if something else happens at their instant") {
  // b is placed exactly when a has done two iterations; both share the engine from then on.
  const auto ends = [](Duration after) {
    Workload workload = workload_of(
        {kernel_of(1, 1, {loop(100, {issue(ns(100)), compute(ns(100))})}), kernel_of(1, 1, {issue(us(10))})});
    workload.launches[1].at = at(after);
    const FullRun run = run_fully(device_of(1, 4), workload);
    return std::pair(end_of(run, 0, 0), end_of(run, 0, 1));
  };
  const auto early = ends(ns(399));
  const auto exact = ends(ns(400));
  CHECK(exact.second - early.second <= ns(2));
  CHECK(exact.first >= early.first - ns(2));
}

TEST_CASE("threads that part sit on the engines on which they were placed, in turn") {
  // 0 and 2 share an engine: 0 is slowed by the 1 ns of 2, then has 1 ns of its own.
  const Program program{Only{{{0, 1}}, {issue(ns(1000))}}, issue(ns(1))};
  CHECK(duration(device_of(1, 4, 2), workload_of({kernel_of(1, 3, program)})) == ns(1'002));
}

TEST_CASE("a thread that signals twice is not two threads that signal once") {
  const Program program{Only{{{0, 0}}, {Signal{"x"}, Signal{"x"}}}, Only{{{1, 1}}, {compute(us(10)), Signal{"x"}}},
                        Only{{{2, 2}}, {Wait{"x"}}}, compute(us(1))};
  const FullRun run = run_fully(device_of(1, 4), workload_of({kernel_of(1, 3, program)}));
  CHECK(run.record.duration() == us(11));
  CHECK(spent(run, TimeKind::barrier) == 10'000'000);
}

TEST_CASE("bytes of a loop are multiplied by a factor all together, and rounded once") {
  Kernel kernel = with(kernel_of(1, 1, {loop(1000, {memory(1)})}), [](Kernel& k) {
    k.variation.factors = {{group(0), Decimal{14, -1}}};
  });
  CHECK(duration(device_of(1, 4), workload_of({kernel})) == ns(1'400));
}

TEST_CASE("a drawn factor that leaves 63 bits is a named error") {
  Kernel kernel = with(kernel_of(3, 1, {compute(ps(9'000'000'000'000'000'000))}), [](Kernel& k) {
    k.variation.draw = Draw{Distribution::lognormal, Decimal{5, -1}, DrawPer::work_group, 1};
  });
  CHECK_THROWS_AS(run_fully(device_of(1, 4), workload_of({kernel})), TimeOverflowError);
}

TEST_CASE("a cycle that closes through another iteration of a loop is named") {
  const Program crossed{Only{{{0, 0}}, {loop(2, {compute(ns(1)), Signal{"a"}, Wait{"b"}})}},
                        Only{{{1, 1}}, {loop(2, {Wait{"a"}, Wait{"a"}, compute(ns(1)), Signal{"b"}})}}};
  const FullRun run = run_fully(device_of(1, 8), workload_of({kernel_of(1, 2, crossed)}));
  CHECK(run.record.outcome == Outcome::deadlock);
  CHECK(run.record.deadlock.cycle.size() == 2);
}
