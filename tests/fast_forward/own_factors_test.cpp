#include "support/builders.hpp"
#include "support/random_runs.hpp"
#include "support/random_values.hpp"
#include "support/run_outputs.hpp"

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

// Work-groups with factors of their own stand anywhere among work-groups that recur. A written factor of 1 is one, too.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

Program draw_recurring_program() {
  const auto time = [] { return StepTime{Decimal::whole(between<std::uint64_t>(1, 6)), {}}; };
  Program program{Compute{time()}};
  switch (between(0, 4)) {
    case 0: break;
    case 1: program.push_back(barrier()); break;
    case 2: program.push_back(Memory{Bytes{between<std::int64_t>(1, 9)}}); break;
    case 3: program.push_back(IssueSlots{time()}); break;
    default: program.push_back(Only{{{0, 0}}, {Compute{time()}}}); break;
  }
  program.push_back(Compute{time()});
  return program;
}

/// One launch of many work-groups, a few of which, anywhere, have factors of their own.
RandomRun draw_run_with_own_factors() {
  RandomRun run{draw_device(), {}};
  run.device.dispatch.placement =
      one_of<std::string>({"fill_first", "round_robin", "least_loaded", "most_room", "group_round_robin"});
  const auto groups = between<std::uint64_t>(150, 400);
  Kernel kernel =
      kernel_of(groups, between<std::uint64_t>(1, run.device.contexts_per_core()), draw_recurring_program());
  std::set<std::uint64_t> numbers;
  for (int i = between(1, 3); i > 0; --i) numbers.insert(between<std::uint64_t>(0, groups - 1));
  for (const std::uint64_t number : numbers)
    kernel.variation.factors.push_back({group(number), one_of({Decimal::whole(1), Decimal::whole(3), Decimal{5, -1}})});
  run.workload = workload_of({std::move(kernel)});
  return run;
}

}  // namespace

TEST_CASE("partial work-groups behind a busy dispatcher give the same bytes fast-forwarded") {
  rc::prop("fast-forwarding on and off", [] {
    DeviceSpec device = small_device();
    device.cores = between(1U, 5U);
    device.dispatch.placement = one_of<std::string>({"fill_first", "round_robin", "least_loaded", "most_room"});
    device.dispatch.admission = Admission::partial;
    device.dispatch.interval = DispatchInterval{{Decimal::whole(between<std::uint64_t>(0, 5)), {}},
                                                {Decimal::whole(between<std::uint64_t>(1, 3)), {}}};
    const auto threads = between<std::uint64_t>(3, 7);
    Program program{compute(ps(between(1, 9)))};
    for (std::uint32_t thread = 0; thread < threads; thread += between(1U, 3U))
      program.push_back(Only{{{thread, thread}}, {compute(ps(between(1, 9)))}});
    const RandomRun run{device, workload_of({kernel_of(between<std::uint64_t>(200, 400), threads, program)})};
    RC_PRE(can_run(run.device, run.device.dispatch, run.workload));
    RC_LOG(describe(run));
    const BothWays runs = outputs_both_ways(run, {});
    RC_CLASSIFY(runs.with.events < runs.without.events / 2, "half was skipped");
    RC_LOG(runs.first_difference());
    RC_ASSERT(runs.are_same());
  });
}

TEST_CASE(
    "work-groups with factors of their own, 1 among them, change nothing in what is written, wherever they stand") {
  rc::prop("fast-forwarding on and off", [] { require_same_bytes_both_ways(draw_run_with_own_factors()); });
}

TEST_CASE(
    "a work-group with its own factor takes its own time, also where the state of the device recurs in spite of it") {
  constexpr std::int64_t groups = 300;
  // A work-group every 10 ns, whether it lasts 3 ns or 6.
  RandomRun run{small_device(), {}};
  run.device.dispatch.interval = DispatchInterval{{Decimal::whole(10'000), {}}, {}};
  Program program{compute(ns(3))};
  std::int64_t life = 3;
  SECTION("each ends before the next begins, on the other core") { run.device.dispatch.placement = "round_robin"; }
  SECTION("each ends before the next begins, on the same core") { run.device.cores = 1; }
  SECTION("three are there at once, whose first step has no factor") {
    run.device.cores = 1;
    run.device.barrier_cost.base = {Decimal::whole(25'000), {}};
    program.insert(program.begin(), barrier());
    life = 28;
  }
  for (std::uint64_t number = 0; number < 50; ++number) {
    INFO("work-group " << number);
    run.workload = workload_of({kernel_of(groups, 2, program)});
    run.workload.kernels[0].variation.factors.push_back({group(number), Decimal::whole(2)});
    const BothWays runs = outputs_both_ways(run, {});
    CHECK(runs.first_difference().empty());
    CHECK(runs.are_same());
    CHECK(runs.with.events < runs.without.events / 2);
    const FullRun full = run_fully(run.device, run.workload);
    CHECK(full.record.resident_time == Int128{2} * (life * groups + 3) * 1'000);
  }
}

TEST_CASE("a work-group takes its own factor of time, wherever it stands among a thousand million") {
  constexpr std::uint64_t groups = 1'000'000'000;
  DeviceSpec device = small_device();
  device.cores = 1;
  const auto resident_time = [&](std::uint64_t number, Decimal factor) {
    Workload workload = workload_of({kernel_of(groups, 8, {compute(ns(2))})});
    workload.kernels[0].variation.factors.push_back({group(number), factor});
    const RunResult run = simulate(device, device.dispatch, workload);
    CHECK(run.events < 10'000);
    return run.record.resident_time;
  };
  // One work-group of 8 threads at a time: it alone takes 3 times as long.
  for (const std::uint64_t number : {0U, 1U, 500'000'000U, 999'999'998U, 999'999'999U}) {
    CHECK(resident_time(number, Decimal::whole(3)) == Int128{8} * (groups + 2) * ns(2).count);
    CHECK(resident_time(number, Decimal::whole(1)) == Int128{8} * groups * ns(2).count);
  }
}
