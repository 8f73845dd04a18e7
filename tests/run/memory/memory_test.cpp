#include "run/sharing.hpp"

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

// Threads that share the memory, against closed forms.

TEST_CASE("a run that is limited by bandwidth takes bytes / bandwidth, exactly") {
  CHECK(duration(device_of(1, 8), workload_of({kernel_of(1, 1, {memory(1000)})})) == us(1));
  CHECK(duration(device_of(4, 8), workload_of({kernel_of(16, 2, {memory(1000)})})) == us(32));
  const DeviceSpec odd = with(device_of(3, 8), [](DeviceSpec& d) { d.memory = flat_memory(gigabytes(7)); });
  CHECK(duration(odd, workload_of({kernel_of(6, 3, {memory(7'000'000)})})) == us(18'000));
}

TEST_CASE("a thread alone gets what it has in flight per latency, and no less than a latency") {
  const DeviceSpec device = with(device_of(1, 8), [](DeviceSpec& d) {
    d.memory->in_flight = Bytes{100};
    d.memory->levels[0].latency = step_time(ns(500));
    d.memory->levels[0].bandwidth = gigabytes(100);
  });
  CHECK(duration(device, workload_of({kernel_of(1, 1, {memory(1000)})})) == us(5));
  CHECK(duration(device, workload_of({kernel_of(1, 4, {memory(1000)})})) == us(5));
  CHECK(duration(device, workload_of({kernel_of(1, 1, {memory(10)})})) == ps(500'100));  // 10 B at 100 B/ns
}

TEST_CASE("without a limit in flight, a step is answered one latency after it was served") {
  const DeviceSpec device = with(device_of(1, 8), [](DeviceSpec& d) {
    d.memory->levels[0].latency = step_time(ns(500));
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
    d.memory->levels[0].latency = step_time(ns(500));
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
  const Int128 accessing = spent(run, Activity::access);
  CHECK((accessing <= 2'250'000 && accessing > 2'250'000 - 9));
}

TEST_CASE("threads that read in bursts of their own lengths all end, the memory never idle") {
  // Some threads are complete at an instant only because their served bytes were rounded up: they end a picosecond
  // later.
  const DeviceSpec device = with(device_of(6, 8), [](DeviceSpec& d) {
    d.memory->in_flight = Bytes{64};
    d.memory->levels[0].latency = step_time(ns(150));
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
    memory_rule.levels.push_back({"cache", Bytes{1000}, std::nullopt, step_time(ns(100))});
    memory_rule.levels.push_back({"DRAM", std::nullopt, gigabytes(1'000), step_time(ns(500))});
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

TEST_CASE("a kernel may have more bytes in flight than its device says for others, or fewer") {
  const DeviceSpec device = with(device_of(2, 8), [](DeviceSpec& d) {
    d.memory.emplace();
    d.memory->in_flight = Bytes{256};
    d.memory->levels.push_back({"DRAM", std::nullopt, gigabytes(1'000'000), step_time(ns(500))});
  });
  const auto time_of = [&](const DeviceSpec& on, std::optional<Bytes> in_flight) {
    return duration(on,
                    workload_of({with(kernel_of(1, 1, {memory(512)}), [&](Kernel& k) { k.in_flight = in_flight; })}));
  };
  CHECK(time_of(device, std::nullopt) == us(1));  // two latencies
  CHECK(time_of(device, Bytes{128}) == us(2));
  CHECK(time_of(device, Bytes{512}) == ps(500'001));  // at one go, which takes a picosecond
  CHECK(time_of(device, Bytes{1024}) == ps(500'001));
  const DeviceSpec unlimited = with(device, [](DeviceSpec& d) { d.memory->in_flight.reset(); });
  CHECK(time_of(unlimited, Bytes{256}) == us(1));
  CHECK(time_of(unlimited, std::nullopt) == ps(500'001));
}

TEST_CASE("what all work-groups of a launch reuse counts once, beside what each reuses by itself") {
  // 100 ns from a cache of 1,000 B, 500 ns from DRAM, 50 B in flight: 1,000 B take 2 us if all is in the cache.
  const DeviceSpec device = with(device_of(2, 8), [](DeviceSpec& d) {
    d.memory.emplace();
    d.memory->in_flight = Bytes{50};
    d.memory->levels.push_back({"cache", Bytes{1000}, std::nullopt, step_time(ns(100))});
    d.memory->levels.push_back({"DRAM", std::nullopt, gigabytes(1'000'000), step_time(ns(500))});
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
  // Two concurrent launches have one each; a launch counts while it has a resident work-group.
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
    d.memory->levels.push_back({"cache", Bytes{1000}, std::nullopt, step_time(ns(100))});
    d.memory->levels.push_back({"DRAM", std::nullopt, gigabytes(1'000), step_time(ns(500))});
  });
  const auto run = [&](std::uint64_t groups) {
    return run_fully(
        device,
        workload_of({with(kernel_of(groups, 1, {memory(1000)}), [](Kernel& k) { k.working_set = Bytes{1000}; })}));
  };
  CHECK(run(1).record.duration() == us(2));
  CHECK(spent(run(1), Activity::memory) == 0);
  const FullRun four = run(4);
  CHECK(four.record.duration() == us(8));
  CHECK(spent(four, Activity::access) == Int128{4} * us(2).count);
  CHECK(spent(four, Activity::memory) == Int128{4} * us(6).count);
}

TEST_CASE("a core limits its threads from when others no longer slow them, although nothing happens on it") {
  // Four threads read from a core of 1 B/ns. At first a neighbor takes three quarters of the cache: 400 ns, 50 B in
  // flight, less than the core gives each. It ends after 8 us: 100 ns, and the core's quarter of 1 B/ns.
  const DeviceSpec device = with(device_of(2, 8), [](DeviceSpec& d) {
    d.memory.emplace();
    d.memory->in_flight = Bytes{50};
    d.memory->core_bandwidth = gigabytes(1);
    d.memory->levels.push_back({"cache", Bytes{1000}, std::nullopt, step_time(ns(100))});
    d.memory->levels.push_back({"DRAM", std::nullopt, gigabytes(1'000), step_time(ns(500))});
  });
  const Kernel reads = with(kernel_of(1, 4, {memory(16'000)}), [](Kernel& k) { k.working_set = Bytes{1000}; });
  const Kernel beside = with(kernel_of(1, 1, {compute(us(8))}), [](Kernel& k) { k.working_set = Bytes{3000}; });
  Workload workload = workload_of({reads, beside});
  workload.launches[1].after = {};
  const double before = 50.0 / 400 * 16'000 / 15'950 * 8'000;
  const double end = 8'000 + (16'000 - before) / 0.25 + 100;
  CHECK(static_cast<double>(duration(device, workload).count) == Approx(end * 1000).epsilon(1e-7));
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

TEST_CASE("bytes of a loop are multiplied by a factor all together, and rounded once") {
  Kernel kernel = with(kernel_of(1, 1, {loop(1000, {memory(1)})}), [](Kernel& k) {
    k.variation.factors = {{group(0), Decimal{14, -1}}};
  });
  CHECK(duration(device_of(1, 4), workload_of({kernel})) == ns(1'400));
}

TEST_CASE("a run that is bounded in the middle of memory accesses has waited for memory, not for anything else") {
  InternalRunOptions options;
  options.bounds.time = at(ns(500));
  const DeviceSpec device = device_of(1, 8);
  const Workload workload = workload_of({kernel_of(1, 2, {memory(1000)})});
  TimeUse all;
  for (const CoreTimeUse& one : testing::simulate(device, device.dispatch, workload, options).record.time_use)
    all += one.use;
  // Each of both has been served 250 B at half of the rate that it would have alone.
  CHECK(all.spent_on(Activity::access) == 2 * 250'000);
  CHECK(all.spent_on(Activity::memory) == 2 * 250'000);
  CHECK(all.sum() == 2 * 500'000);
}
