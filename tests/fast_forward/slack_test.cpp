#include "support/builders.hpp"
#include "support/random_runs.hpp"
#include "support/random_values.hpp"
#include "support/run_outputs.hpp"
#include "support/scenarios.hpp"

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <string>

// Producers that run ahead of their consumers, and of each other.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

StepTime draw_short_time() { return {Decimal::whole(between<std::uint64_t>(1, 7)), {}}; }

std::string draw_name() { return one_of<std::string>({"a", "a", "a", "b"}); }

Step draw_busy_step() {
  switch (between(0, 12)) {
    case 0: return IssueSlots{draw_short_time()};
    case 1: return Slm{between<std::uint64_t>(1, 3), between<std::uint64_t>(0, 3), 4};
    case 2: return Memory{Bytes{between<std::int64_t>(1, 9)}};
    default: return Compute{draw_short_time()};
  }
}

/// An iteration of a producer, of a consumer, of a thread that is both.
Program draw_slack_body(bool signals, bool waits) {
  Program body{draw_busy_step()};
  if (signals) body.push_back(Signal{draw_name()});
  if (waits) body.insert(body.begin(), Wait{draw_name()});
  if (between(0, 3) == 0) body.push_back(draw_busy_step());
  if (between(0, 5) == 0) body = {Loop{between<std::uint64_t>(2, 4), std::move(body)}, draw_busy_step()};
  if (between(0, 9) == 0) body.push_back(one_of<Step>({barrier(), Barrier{"a"}, Barrier{"c"}}));
  return body;
}

/// Consumers have fewer iterations, lest all of them wait for ever.
Program draw_slack_path(bool signals, bool waits) {
  Program path{Compute{draw_short_time()}};
  for (int i = between(0, 2); i >= 0; --i) {
    const std::uint64_t iterations = between<std::uint64_t>(1, waits ? 100 : 500);
    path.push_back(Loop{iterations, draw_slack_body(signals, waits)});
  }
  return path;
}

/// Some threads take paths of their own, through loops the next of which may be faster: the first are producers.
Program draw_slack_program(std::uint64_t threads) {
  Program program{Only{{{0, 0}}, {Signal{"a"}, Signal{"b"}}}};
  std::uint32_t first = 0;
  while (first < threads) {
    const auto last = std::min(first < 4 ? first + between(0U, 1U) : ~0U, static_cast<std::uint32_t>(threads) - 1);
    const int part = first == 0 ? 0 : between(0, 4);
    program.push_back(Only{{{first, last}}, draw_slack_path(part < 2 || part == 4, part > 1)});
    first = last + 1;
  }
  if (between(0, 3) == 0) program.push_back(barrier());
  return program;
}

RandomRun draw_slack_run() {
  RandomRun run = draw_run();
  bool has_children = false;
  for (Kernel& kernel : run.workload.kernels) {
    has_children = has_children || has_step<LaunchChild>(kernel.program);
    if (has_step<LaunchChild>(kernel.program)) continue;
    const Program before = kernel.program;
    kernel.program = draw_slack_program(kernel.threads_per_work_group());
    if (between(0, 3) > 0) kernel.variation = lock_step();
    if (between(0, 1) == 0 && kernel.edge_groups == EdgeGroups::refused) kernel.range.global[2] = kernel.range.local[2];
    std::erase_if(kernel.variation.factors, [&](const WorkGroupFactor& factor) {
      return number_of(factor.work_group) >= kernel.range.group_count();
    });
    if (!can_run(run.device, run.device.dispatch, run.workload)) kernel.program = before;
  }
  if (run.workload.launches.size() > 1 && between(0, 1) == 0 && !has_children) run.workload.launches.resize(1);
  return run;
}

Step only(std::uint32_t thread, Program body) { return Only{{{thread, thread}}, std::move(body)}; }

/// Of one work-group of `threads` threads, alone on a device.
RunResult run_alone(std::uint64_t threads, Program program) {
  return simulate(small_device(), small_device().dispatch, workload_of({kernel_of(1, threads, std::move(program))}));
}

}  // namespace

TEST_CASE("iterations in which some threads run ahead give the same bytes fast-forwarded and simulated") {
  rc::prop("fast-forwarding on and off", [] { require_same_bytes_both_ways(draw_slack_run()); });
}

TEST_CASE("a consumer ends when its producer lets it, whichever of them is faster") {
  const auto end = [](Duration producer, Duration consumer) {
    const Program body{only(0, {compute(producer), Signal{"full"}}), only(1, {Wait{"full"}, compute(consumer)})};
    return run_alone(2, {Loop{1'000, body}}).record.end;
  };
  CHECK(end(ns(3), ns(5)) == at(ns(3 + 5'000)));
  CHECK(end(ns(5), ns(3)) == at(ns(5'000 + 3)));
}

TEST_CASE("two producers of one barrier run apart, and together again") {
  const auto producing = [](Duration first, Duration second) {
    return Program{Loop{1'000, {compute(first), Signal{"full"}}}, Loop{1'000, {compute(second), Signal{"full"}}}};
  };
  const RunResult result = run_alone(3, {only(0, producing(ns(2), ns(7))), only(1, producing(ns(5), ns(3))),
                                         only(2, {Loop{2'000, {Wait{"full"}, compute(ns(1))}}})});
  CHECK(result.record.end == at(ns(9'000 + 1)));
}

TEST_CASE("a stall is reported alike, whether or not its threads arrived in fast-forwarded iterations") {
  const ReadText text = read_text(R"(scenario: three of four arrive later
device: tiny
kernels:
  other:
    global: 1
    local: 1
    sub_group: 1
    variation: {distribution: uniform, cv: 0.2, seed: 82}
    program:
      - loop: {count: 5000, body: [issue: 3 cycles]}
      - loop: {count: 5000, body: [issue: 3 cycles]}
  stalling:
    global: 16
    local: 8
    sub_group: 1
    program:
      - only: {threads: 0, body: [signal: b]}
      - only: {threads: 0-3, body: [loop: {count: 5542, body: [issue: 2 cycles, compute: 9 ns]}]}
      - only: {threads: 4-7, body: [wait: a]}
      - only: {threads: 7, body: [signal: a]}
      - barrier
launches: [kernel: other, kernel: stalling]
)");
  const RandomRun run{text.scenario().device, text.scenario().workload};
  InternalRunOptions options;
  const std::string with = counts_of(run, options);
  options.fast_forward = FastForward::no;
  CHECK(with == counts_of(run, options));
  const Deadlock deadlock = simulate(run.device, run.device.dispatch, run.workload).record.deadlock;
  // Of each of two work-groups, four threads at the barrier and four that wait for `a`.
  REQUIRE(deadlock.groups.size() == 4);
  for (const DeadlockedGroup& group : deadlock.groups) CHECK(group.waiting == 4);
}
