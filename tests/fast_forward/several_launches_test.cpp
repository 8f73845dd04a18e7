#include "support/builders.hpp"
#include "support/random_runs.hpp"
#include "support/random_values.hpp"
#include "support/run_outputs.hpp"

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <algorithm>

// Launches beside each other that differ in pace, in number, and in whether their times are drawn.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

constexpr std::uint64_t kMany = 1'000'000'000;

/// 8 cores of 4 work-groups of 4 threads.
DeviceSpec eight_cores(KernelChoice choice) {
  return with(small_device(), [&](DeviceSpec& d) {
    d.cores = 8;
    d.engines_per_core = 2;
    d.contexts_per_engine = 8;
    d.work_groups_per_core = 4;
    d.max_work_group_size = 128;
    d.dispatch.kernel_choice = choice;
  });
}

/// Two launches beside each other: the first has cores 0 to 3, the second has the others.
Workload side_by_side(Kernel first, Kernel second) {
  Workload workload = workload_of({std::move(first), std::move(second)});
  workload.launches[0].as_kernel().cores = {{core(0), core(3)}};
  workload.launches[1].as_kernel().cores = {{core(4), core(7)}};
  return workload;
}

/// Two launches of which one has work-groups many times as long as the other's, and one may have few.
RandomRun draw_launches_of_two_paces() {
  RandomRun run{draw_device(), {}};
  run.device.dispatch.placement =
      one_of<std::string>({"fill_first", "round_robin", "least_loaded", "most_room", "group_round_robin"});
  const auto kernel = [&](std::int64_t pace) {
    Program program{compute(ps(pace * between<std::int64_t>(1, 9)))};
    if (between(0, 2) == 0) program.push_back(barrier());
    if (between(0, 2) == 0) program.push_back(Memory{Bytes{between<std::int64_t>(1, 9)}});
    program.push_back(compute(ps(pace)));
    return kernel_of(between<std::uint64_t>(20, 300), between<std::uint64_t>(1, run.device.contexts_per_core()),
                     std::move(program));
  };
  run.workload = workload_of({kernel(1), kernel(one_of<std::int64_t>({7, 100, 1'000}))});
  if (between(0, 1) == 0) std::swap(run.workload.launches[0], run.workload.launches[1]);
  for (Launch& one : run.workload.launches)
    if (between(0, 1) == 0) one.at = at(ps(between(0, 2'000)));
  if (between(0, 1) == 0 && run.device.cores > 1) {
    const std::uint32_t first = between(1U, run.device.cores - 1);
    run.workload.launches[0].as_kernel().cores = {{core(0), core(first - 1)}};
    run.workload.launches[1].as_kernel().cores = {{core(first), core(run.device.cores - 1)}};
  }
  return run;
}

Draw drawn_by_group() { return {Distribution::uniform, Decimal{2, -1}, DrawPer::work_group, 1}; }

}  // namespace

TEST_CASE("launches of two paces write the same bytes whether or not what recurs is fast-forwarded") {
  rc::prop("fast-forwarding on and off", [] { require_same_bytes_both_ways(draw_launches_of_two_paces()); });
}

TEST_CASE("events stay few before and after either of two launches of different pace has ended") {
  for (const KernelChoice choice : {KernelChoice::skip_blocked, KernelChoice::round_robin})
    for (const bool first_is_longer : {true, false}) {
      const DeviceSpec device = eight_cores(choice);
      Kernel slow = kernel_of(kMany, 4, {compute(ns(70))});
      Kernel fast = kernel_of(kMany, 4, {compute(ns(30))});
      const Workload workload = first_is_longer ? side_by_side(slow, fast) : side_by_side(fast, slow);
      const RunResult run = simulate(device, device.dispatch, workload);
      INFO("first is longer: " << first_is_longer);
      CHECK(run.events < 20'000);
      for (const LaunchRecord& one : run.record.launches) CHECK(one.work_groups_ended == kMany);
      // 16 work-groups of each at once, each launch at its own pace.
      CHECK(*run.record.launches[first_is_longer ? 0 : 1].ended == at(ns(70 * static_cast<std::int64_t>(kMany / 16))));
      CHECK(*run.record.launches[first_is_longer ? 1 : 0].ended == at(ns(30 * static_cast<std::int64_t>(kMany / 16))));
    }
}

TEST_CASE("a launch without a draw beside a long one with a draw writes what it writes without fast-forwarding") {
  for (const KernelChoice choice : {KernelChoice::skip_blocked, KernelChoice::round_robin, KernelChoice::priority})
    for (const bool drawn_first : {true, false})
      for (const bool shares_cores : {true, false}) {
        RandomRun run{eight_cores(choice), {}};
        Kernel drawn = kernel_of(3'000, 4, {compute(ns(10))});
        drawn.variation.draw = drawn_by_group();
        const Kernel plain = kernel_of(500, 4, {compute(ns(7)), barrier(), compute(ns(2))});
        run.workload = drawn_first ? side_by_side(drawn, plain) : side_by_side(plain, drawn);
        if (shares_cores)
          for (Launch& one : run.workload.launches) one.as_kernel().cores.clear();
        run.workload.launches[1].at = at(ns(100));
        INFO("drawn first: " << drawn_first << ", shares cores: " << shares_cores);
        InternalRunOptions options;
        options.keep_timeline = KeepTimeline::yes;
        const BothWays runs = outputs_both_ways(run, options);
        CHECK(runs.first_difference().empty());
        CHECK(runs.are_same());
        const std::string with = counts_of(run, options);  // no one work-group is observed: slots are reused
        options.fast_forward = FastForward::no;
        CHECK((with == counts_of(run, options)));
      }
}
