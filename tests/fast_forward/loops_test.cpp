#include "support/builders.hpp"
#include "support/random_runs.hpp"
#include "support/random_values.hpp"
#include "support/run_outputs.hpp"

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

// Equal iterations of loops are fast-forwarded, whatever they share, and no output shows it.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

StepTime draw_time() { return {Decimal::whole(between<std::uint64_t>(1, 8)), {}}; }

Step draw_step(int depth);

Program draw_body(int depth) {
  Program body;
  for (int i = between(1, 3); i > 0; --i) body.push_back(draw_step(depth));
  return body;
}

Step draw_step(int depth) {
  switch (between(0, depth > 0 ? 11 : 9)) {
    case 0: return Compute{draw_time()};
    case 1: return between(0, 1) == 0 ? Step(IssueSlots{draw_time()}) : draw_instructions();
    case 2: return Memory{Bytes{between<std::int64_t>(1, 9)}};
    case 3: return Slm{between<std::uint64_t>(1, 3), between<std::uint64_t>(0, 3), 4};
    case 4: return barrier();
    case 5: return Barrier{"pair"};
    case 6: return Signal{"more"};
    case 7: return Wait{"more"};
    case 8: return WaitMemory{between<std::uint64_t>(0, 3)};
    case 9: return Compute{draw_time()};
    case 10: {
      const Step load = Memory{Bytes{between<std::int64_t>(1, 30)}, true};
      return Loop{between<std::uint64_t>(1, 60), {load, draw_step(0), WaitMemory{between<std::uint64_t>(0, 3)}}};
    }
    default: return Loop{between<std::uint64_t>(1, 10), draw_body(depth - 1)};
  }
}

/// Loops of many iterations, nested, of threads that take paths of their own.
Program draw_looping_program() {
  Program program{Compute{draw_time()}};
  for (int i = between(1, 2); i > 0; --i) {
    Step loop = Loop{between<std::uint64_t>(1, 300), draw_body(2)};
    program.push_back(between(0, 2) == 0 ? Only{{{0, 0}}, {std::move(loop)}} : std::move(loop));
  }
  if (between(0, 1) == 0) program.push_back(barrier());
  return program;
}

RandomRun draw_looping_run() {
  RandomRun run = draw_run();
  for (Kernel& kernel : run.workload.kernels) {
    if (has_step<LaunchChild>(kernel.program)) continue;
    const Program before = kernel.program;
    kernel.program = draw_looping_program();
    if (between(0, 1) == 0) kernel.variation = lock_step();
    if (!can_run(run.device, run.device.dispatch, run.workload)) kernel.program = before;
  }
  return run;
}

}  // namespace

TEST_CASE("fast-forwarded iterations give the same bytes as simulated ones") {
  rc::prop("fast-forwarding on and off", [] {
    const RandomRun drawn = draw_looping_run();
    RC_LOG(describe(drawn));
    InternalRunOptions options;
    if (between(0, 3) == 0) options.min_phase.time = ps(between(0, 12));
    options.keep_timeline = between(0, 1) == 0 ? KeepTimeline::no : KeepTimeline::yes;
    const BothWays runs = outputs_both_ways(drawn, options);
    RC_CLASSIFY(runs.with.events < runs.without.events, "something was skipped");
    RC_CLASSIFY(runs.with.events < runs.without.events / 2, "half was skipped");
    RC_CLASSIFY(runs.with.has_loops, "the timeline keeps what repeats once");
    RC_ASSERT(runs.are_same());
  });
}

namespace {

Program draw_isolated_body(int depth) {
  Program body;
  for (int i = between(1, 4); i > 0; --i) switch (between(0, depth > 0 ? 7 : 6)) {
      case 0: body.push_back(Compute{draw_time()}); break;
      case 1: body.push_back(Slm{between<std::uint64_t>(1, 3), between<std::uint64_t>(0, 3), 4}); break;
      case 2: body.push_back(barrier()); break;
      case 3: body.push_back(one_of<Step>({Signal{"s"}, Signal{"s"}, Wait{"s"}, Barrier{"s"}})); break;
      case 7: body.push_back(Loop{between<std::uint64_t>(1, 9), draw_isolated_body(depth - 1)}); break;
      default: body.push_back(between(0, 3) > 0 ? Step(IssueSlots{draw_time()}) : draw_instructions()); break;
    }
  return body;
}

/// Iterations of a work-group alone on its core, all its threads in step, or some on engines of their own.
Program draw_isolated_program() {
  Program all{Compute{draw_time()}, Signal{"s"}, Signal{"s"},
              Loop{between<std::uint64_t>(2, 200), draw_isolated_body(3)}, Compute{draw_time()}};
  if (between(0, 2) > 0) return all;
  return {Only{{{0, 0}}, {Loop{between<std::uint64_t>(2, 200), {Compute{draw_time()}, IssueSlots{draw_time()}}}}},
          Only{{{1, between(1U, 4U)}}, std::move(all)}};
}

/// Large work-groups with factors of their own, and small ones that are placed on their cores in the middle of
/// something.
RandomRun draw_isolated_run() {
  RandomRun run = draw_run();
  run.device.barrier_cost = {};
  for (Kernel& kernel : run.workload.kernels) {
    if (has_step<LaunchChild>(kernel.program)) continue;
    const Program before = kernel.program;
    kernel.program = draw_isolated_program();
    if (between(0, 2) > 0) kernel.variation.factors.clear();
    if (between(0, 1) == 0)
      kernel.variation.draw =
          Draw{Distribution::uniform, Decimal{3, -1}, one_of({DrawPer::work_group, DrawPer::thread}), 1};
    if (!can_run(run.device, run.device.dispatch, run.workload)) kernel.program = before;
  }
  for (Launch& launch : run.workload.launches)
    if (between(0, 1) == 0 && launch.host_waits.empty()) launch.at = at(ps(between(0, 2000)));
  return run;
}

}  // namespace

TEST_CASE("iterations of a work-group alone on its core are fast-forwarded until another is placed") {
  rc::prop("fast-forwarding on and off", [] { require_same_bytes_both_ways(draw_isolated_run()); });
}

TEST_CASE(
    "a work-group taken out of a loop in the middle of an issue or SLM step is served as if it had never been in it") {
  rc::prop("another arrives, or the run comes to its bound", [] {
    RandomRun drawn;
    drawn.device = with(small_device(), [](DeviceSpec& d) {
      d.cores = 1;
      d.clock = Hertz{1'000'000'000};
      d.slm_access = SlmAccess{16, Bytes{4}, {}};
    });
    const auto draw_shared_step = []() -> Step {
      if (between(0, 1) == 0) return IssueSlots{draw_time()};
      return Slm{between<std::uint64_t>(1, 8), between<std::uint64_t>(0, 3), 4};
    };
    Kernel looping = kernel_of(1, between<std::uint64_t>(1, 8),
                               {Loop{between<std::uint64_t>(2, 60), {draw_shared_step(), Compute{draw_time()}}}});
    if (between(0, 3) > 0) looping.variation.draw = Draw{Distribution::uniform, Decimal{3, -1}, DrawPer::work_group, 1};
    Kernel arriving = kernel_of(between<std::uint64_t>(1, 2), 1, {draw_shared_step()});
    if (between(0, 1) == 0) arriving.variation.draw = looping.variation.draw;
    drawn.workload = workload_of({looping, arriving});
    drawn.workload.launches[1].at = at(ps(between<std::int64_t>(1, 200'000)));
    RC_LOG(describe(drawn));
    InternalRunOptions options;
    options.keep_timeline = KeepTimeline::yes;
    if (between(0, 1) == 0) options.bounds.time = at(ps(between<std::int64_t>(1, 200'000)));
    RC_ASSERT(outputs_both_ways(drawn, options).are_same());
  });
}

TEST_CASE("a thousand million iterations of work-groups with own factors, each alone on its core, cost nothing") {
  const DeviceSpec device = with(small_device(), [](DeviceSpec& d) {
    d.cores = 6;
    d.clock = Hertz{1'000'000'000};
  });
  Kernel kernel = kernel_of(6, 8, {Loop{1'000'000'000, {IssueSlots{{Decimal::whole(1'000), {}}}, barrier()}}});
  kernel.variation.draw = Draw{Distribution::normal, Decimal{1, -1}, DrawPer::work_group, 1};
  const RunResult result = simulate(device, device.dispatch, workload_of({kernel}));
  CHECK(result.record.outcome == Outcome::completed);
  CHECK(result.events < 1'000);
}

namespace {

/// Six work-groups of this many threads, each with a factor of its own on a core of its own.
RunResult run_on_six_cores(std::uint64_t threads, Program program, DrawPer per) {
  const DeviceSpec device = with(small_device(), [](DeviceSpec& d) {
    d.cores = 6;
    d.work_groups_per_core = 1;
    d.clock = Hertz{1'000'000'000};
    d.slm_access = SlmAccess{16, Bytes{4}, {}};
  });
  Kernel kernel = kernel_of(6, threads, std::move(program));
  kernel.variation.draw = Draw{Distribution::normal, Decimal{1, -1}, per, 1};
  return simulate(device, device.dispatch, workload_of({kernel}));
}

Step issue(std::uint64_t cycles) { return IssueSlots{{Decimal::whole(cycles), {}}}; }

}  // namespace

TEST_CASE("a million iterations of nested loops cost nothing for a work-group alone on its core") {
  const Loop inner{1'000, {issue(1), Loop{1'000, {compute(ns(2)), barrier(), Signal{"s"}, Wait{"s"}}}}};
  const RunResult result = run_on_six_cores(8, {Loop{1'000, {inner, compute(ns(3)), issue(5)}}}, DrawPer::work_group);
  CHECK(result.record.outcome == Outcome::completed);
  CHECK(result.events < 5'000);
}

TEST_CASE("a run that ends amid fast-forwarded iterations reports what threads did until then") {
  const DeviceSpec device = with(small_device(), [](DeviceSpec& d) {
    d.cores = 1;
    d.clock = Hertz{1'000'000'000};
  });
  // 8 threads on 2 engines, 4 on each: 1,000 ps of work take 4,000, and 500 of computing follow.
  const Kernel kernel =
      kernel_of(1, 8, {Loop{1'000'000, {IssueSlots{{Decimal::whole(1'000), {}}}, compute(ps(500)), barrier()}}});
  for (const std::int64_t end : {4'500'000, 4'502'000, 4'504'250}) {
    InternalRunOptions options;
    options.bounds.time = at(ps(end));
    std::vector<TimeUse> uses;
    for (const FastForward fast_forward : {FastForward::yes, FastForward::no}) {
      options.fast_forward = fast_forward;
      const RunRecord record = simulate(device, device.dispatch, workload_of({kernel}), options).record;
      REQUIRE(record.time_use.size() == 1);
      CHECK(record.end == at(ps(end)));
      uses.push_back(record.time_use[0].use);
    }
    CHECK(uses[0].spent == uses[1].spent);
    CHECK(uses[0].sum() == Int128{8} * end);
  }
}

TEST_CASE("bounds hold during fast-forwarded iterations: of events, and of a time below the overflow") {
  const DeviceSpec device = with(small_device(), [](DeviceSpec& d) {
    d.cores = 1;
    d.clock = Hertz{1'000'000'000};
  });
  // An iteration takes four times its work: 600 million of them leave 64 bits, the work of a thread does not.
  const Workload workload = workload_of(
      {kernel_of(1, 8, {Loop{600'000'000, {IssueSlots{{Decimal::whole(4'000'000'000), {}}}, compute(us(1))}}})});
  InternalRunOptions options;
  options.bounds.time = at(ms(1'000));
  const RunRecord at_time = simulate(device, device.dispatch, workload, options).record;
  CHECK(at_time.outcome == Outcome::bounded);
  CHECK(at_time.end == at(ms(1'000)));
  options.bounds = {};
  options.bounds.events = 50;
  const RunResult with = simulate(device, device.dispatch, workload, options);
  options.fast_forward = FastForward::no;
  const RunResult without = simulate(device, device.dispatch, workload, options);
  CHECK(with.record.outcome == Outcome::bounded);
  CHECK(with.record.end == without.record.end);
  CHECK(with.events == without.events);
}

TEST_CASE("as many phases of a barrier as are allowed are fast-forwarded in a loop that a thread goes through alone") {
  // The work-group at the edge has thread 0 alone, which meets nobody in the inner loop.
  constexpr std::uint64_t count = std::uint64_t{1} << 47;
  Kernel kernel =
      kernel_of(1, 2, {Loop{count, {compute(ps(1)), Loop{65'535, {Only{{{1, 1}}, {compute(ps(1))}}, barrier()}}}}});
  kernel.range.global[2] = 8;
  kernel.edge_groups = EdgeGroups::smaller;
  const FullRun run = run_fully(one_core(), workload_of({kernel}));
  CHECK(run.record.outcome == Outcome::completed);
  CHECK(run.record.duration() == ps(std::int64_t{count}));
}
